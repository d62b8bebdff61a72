import { useEffect } from "react";
import { type ActionFunctionArgs, Link, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { askHelp, getHelp, type HelpMessage } from "@alcove/contract/help";
import bubbleStyles from "../../features/chat/bubble.module.css";
import { useDays } from "../../lib/dates-and-units/days.ts";
import { timeText } from "../../lib/dates-and-units/dates.ts";
import { api } from "../../lib/api/api.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { isResync } from "../../realtime/events.ts";
import { onRealtimeEvent } from "../../realtime/realtime.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { TextArea } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SettingHead } from "./setting-head.tsx";
import styles from "./help.module.css";

export async function loader() {
  return api(getHelp, {});
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(askHelp, await request.formData()));
}

/** Questions to the operators and their replies. */
export default function HelpScreen() {
  const { messages } = useLoaderData<typeof loader>();
  const hasThread = messages.length > 0;
  const t = useTranslations("help");
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  const { revalidate } = useRevalidator();
  useEffect(
    () => onRealtimeEvent((event) => void ((event.kind === "help" || isResync(event)) && revalidate())),
    [revalidate],
  );
  return (
    <div className="stack">
      <SettingHead title={t("title")} />
      <p className="muted">{t("lead", { brand: settings.brandName })}</p>
      <p>
        <Link to={`${base}/contact`}>{t("questions")}</Link>
      </p>
      <Link className={buttonClass({ kind: "quiet", block: true })} to={`${base}/threat`}>
        <Icon name="alert" small />
        {tSafety("threat")}
      </Link>
      {hasThread && (
        <div role="log" aria-label={t("title")}>
          <ul className={styles.thread}>
            {messages.map((message) => (
              <Message key={message.id} {...message} />
            ))}
          </ul>
        </div>
      )}
      <AskForm rows={hasThread ? 3 : 5} />
    </div>
  );
}

function Message({ from, text, created_at: at }: HelpMessage) {
  const t = useTranslations("help");
  const { nameOf } = useDays();
  const sentAt = new Date(at);
  return (
    <li className={classNames(bubbleStyles.bubble, from === "me" && bubbleStyles.own)}>
      <span className="vh">{t(from)}</span>
      <p>{text}</p>
      <time dateTime={at}>
        {nameOf(sentAt)} {timeText(sentAt)}
      </time>
    </li>
  );
}

function AskForm({ rows }: { rows: number }) {
  const t = useTranslations("help");
  const form = useForm<unknown>({
    check: (fields) => pickErrors(askHelp, fields, ["text"]),
    onDone() {
      form.props.ref.current?.reset();
    },
  });
  return (
    <Form {...form.props} className="stack">
      <TextArea
        label={t("text")}
        name="text"
        rows={rows}
        hint={t("textHint")}
        required
        {...form.errorsOf("text")}
      />
      <Button type="submit" block busy={form.isBusy}>
        {t("send")}
      </Button>
    </Form>
  );
}
