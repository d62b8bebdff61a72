import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigate,
} from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { getCase } from "@alcove/contract/cases";
import { type EndedMatch, getLastDms } from "@alcove/contract/messaging";
import { pressThreat } from "@alcove/contract/safety";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { actionResult, type Problems } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import { showError } from "../../lib/page/show-error.ts";
import { isForCase } from "../../lib/session/session.ts";
import { isolated } from "../../lib/texts/isolated.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Check, SelectField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./threat.module.css";

interface Named {
  readonly userId: string;
  readonly name: string;
}

/** The value of a choice names the field, too. */
const choiceOf = (field: "userId" | "endedId", id: string) => `${field}:${id}`;

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const { named, ended } = await (isForCase() ? loadForCase() : loadChats());
  const [userId, endedId] = [searchParams.get("userId"), searchParams.get("endedId")];
  // The other side may have ended the conversation meanwhile.
  if (userId !== null && !named.some((one) => one.userId === userId)) named.unshift({ userId, name: userId });
  const chosen = userId === null ? choiceOf("endedId", endedId ?? "") : choiceOf("userId", userId);
  return { named, ended, chosen, isSuspended: isForCase() };
}

async function loadForCase(): Promise<{ named: Named[]; ended: EndedMatch[] }> {
  const { chats, ended } = await api(getCase, {});
  return { named: chats.map(({ user_id: userId, username: name }) => ({ userId, name })), ended };
}

async function loadChats(): Promise<{ named: Named[]; ended: EndedMatch[] }> {
  const [{ dms, ended }, { user }] = await Promise.all([api(getLastDms, {}), api(getOwnUser, {})]);
  const friends = dms.map(({ sender, receiver }) => (sender.user_id === user.user_id ? receiver : sender));
  return { named: friends.map(({ user_id: userId, username: name }) => ({ userId, name })), ended };
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const about = form.get("about");
  const [field = "userId", id = ""] = typeof about === "string" ? about.split(/:(.*)/s) : [];
  form.delete("about");
  form.set(field, id);
  return actionResult(await submitForm(pressThreat, form));
}

/** For a frightened reader: advice, the effect of the button, and the button. */
export default function ThreatScreen() {
  const { named, ended, isSuspended } = useLoaderData<typeof loader>();
  const t = useTranslations("threat");
  return (
    <Shell hasMenu={!isSuspended} width="form">
      <div className="stack-lg">
        <h1>{t("title")}</h1>
        <div className="stack-sm">
          <p className={styles.first}>{t("first")}</p>
          <p className="muted">{t("lead")}</p>
        </div>
        <ul className={styles.advice}>
          {(["pay", "keep", "tell"] as const).map((advice) => (
            <li key={advice}>
              <strong>{t(advice)}</strong>
              <span>{t(`${advice}Text`)}</span>
            </li>
          ))}
        </ul>
        <div className={classNames(noteStyles.note, noteStyles.lamp)}>
          <Icon name="phone" />
          <p>{t("danger")}</p>
        </div>
        {named.length + ended.length === 0 ? <Nobody /> : <PressForm />}
      </div>
    </Shell>
  );
}

function Nobody() {
  const t = useTranslations("threat");
  return (
    <section className="stack">
      <p>{t("nobody")}</p>
      <WriteLink />
    </section>
  );
}

/** A suspended member has no thread with the operators. */
function WriteLink() {
  const t = useTranslations("threat");
  const base = useLanguagePath();
  const { isSuspended } = useLoaderData<typeof loader>();
  return (
    <Link
      className={buttonClass({ kind: "ghost", block: true })}
      to={isSuspended ? `${base}/contact` : `${base}/setting/help`}
    >
      {t("write")}
    </Link>
  );
}

function PressForm() {
  const { named, ended, chosen } = useLoaderData<typeof loader>();
  const t = useTranslations("threat");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const dayText = (day: string) => day.replaceAll("-", "/");
  const choices = [
    ["", t("choose")] as const,
    ...named.map(({ userId, name }) => [choiceOf("userId", userId), isolated(name)] as const),
    ...ended.map(
      ({ id, matched_on, ended_on }) =>
        [
          choiceOf("endedId", id),
          t("ended", { matched: dayText(matched_on), ended: dayText(ended_on) }),
        ] as const,
    ),
  ];
  const form = useForm<{ number: string }>({
    check: (fields): Problems => (fields.get("about") ? {} : { about: ["required"] }),
    showFailure(error) {
      if (error instanceof ApiError && error.status === 404) banner.alert("threat.nothing");
      else showError(error);
    },
    onDone: ({ number }) => navigate(`${base}/threat/${number}`, { replace: true }),
  });
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("now")}</h2>
      <ol className={classNames("stack-sm", styles.steps)}>
        {(["nowParted", "nowKept", "nowPerson", "nowNumber"] as const).map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      <Form {...form.props} className="stack">
        <SelectField
          label={t("who")}
          name="about"
          choices={choices}
          defaultValue={choices.some(([value]) => value === chosen) ? chosen : ""}
          {...form.errorsOf("about")}
        />
        <Check name="ownMessages" value="yes" hint={t("ownHint")}>
          {t("own")}
        </Check>
        <Check name="hide" value="yes" hint={t("hideHint")}>
          {t("hide")}
        </Check>
        <Button type="submit" kind="danger" block busy={form.isBusy}>
          {t("press")}
        </Button>
      </Form>
      <WriteLink />
    </section>
  );
}
