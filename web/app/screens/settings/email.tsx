import { type ActionFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { parseFields } from "@alcove/contract/fields";
import {
  changeEmail,
  chooseEmail,
  getEmail,
  type OwnEmail,
  requestEmailCode,
  stopNewEmail,
} from "@alcove/contract/mailboxes";
import { type Account, readProof } from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api/api.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { actionResult, formResult, type FormResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { banner } from "../../lib/page/banner.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { EmailChange } from "./email-change.tsx";
import { EmailChoice } from "./email-choice.tsx";
import { SettingHead } from "./setting-head.tsx";
import cardStyles from "../../ui/styles/card.module.css";

export async function loader() {
  const [own, { user }] = await Promise.all([api(getEmail, {}), api(getOwnUser, {})]);
  const { user_id, has_password, has_passkey } = user;
  return { own, user: { user_id, has_password, has_passkey } };
}

const CALLS = { send: requestEmailCode, choose: chooseEmail } as const;

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = form.get("intent") as keyof typeof CALLS | "change" | "stop";
  form.delete("intent");
  if (intent === "stop") return actionResult(await formResult(() => api(stopNewEmail, {})));
  if (intent === "change") return actionResult(await submitChange(form));
  return actionResult(await submitForm(CALLS[intent], form));
}

async function submitChange(form: FormData): Promise<FormResult<unknown>> {
  const proof = await readProof(form);
  if (!proof.ok) return proof;
  const fields = parseFields(changeEmail.input, Object.fromEntries(form));
  if (!fields.ok) return { ok: false, problems: fields.errors, error: null };
  return formResult(() => api(changeEmail, { ...fields.value, ...proof.value }));
}

export { reloadWhenDone as shouldRevalidate } from "../../lib/forms/submit-form.ts";

export default function EmailScreen() {
  const { own, user } = useLoaderData<typeof loader>();
  const t = useTranslations("ownEmail");
  const title = useTranslations("settings")("email");
  return (
    <div className="stack-lg form--narrow">
      <div className="stack">
        <SettingHead title={title} />
        {own.choice === null && (
          <div className="stack-sm">
            <p>
              <span className="hint">{t("now")}</span>
              <strong dir="auto">{own.email || t("none")}</strong>
            </p>
            <p className="muted">{t("lead")}</p>
          </div>
        )}
      </div>
      {own.request && <NewAddressAsked request={own.request} />}
      {own.choice && <EmailChoice choice={own.choice} />}
      {own.choice === null && <Change own={own} user={user} />}
    </div>
  );
}

function Change({ own, user }: { own: OwnEmail; user: Account }) {
  const t = useTranslations("ownEmail");
  if (own.next_change_at)
    return <p className="muted">{t("wait", { day: dayText(new Date(own.next_change_at)) })}</p>;
  const canProve = user.has_password || user.has_passkey;
  return canProve ? <EmailChange own={own} user={user} /> : <p className="muted">{t("passwordMissing")}</p>;
}

function NewAddressAsked({ request }: { request: NonNullable<OwnEmail["request"]> }) {
  const t = useTranslations("ownEmail");
  const { revalidate } = useRevalidator();
  const form = useForm<unknown>({
    check: () => ({}),
    async onDone() {
      focusHeading(); // the button disappears
      banner.notify("ownEmail.requestStopped");
      await revalidate();
    },
  });
  const shown = (day: string) => day.replaceAll("-", "/");
  return (
    <Form {...form.props} className={cardStyles.card}>
      <div className="stack">
        <h2>{t("requestTitle")}</h2>
        <p>{t("requestText", { asked: shown(request.asked_on), due: shown(request.due_on) })}</p>
        <input type="hidden" name="intent" value="stop" />
        <Button type="submit" kind="danger" block busy={form.isBusy}>
          {t("requestStop")}
        </Button>
      </div>
    </Form>
  );
}
