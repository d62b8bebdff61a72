import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { changeEmail, type OwnEmail, requestEmailCode } from "@alcove/contract/mailboxes";
import { CodeField, LetterCodeButton, useCodeLine } from "../../features/code-entry/code-field.tsx";
import {
  type Account,
  FIELD_NAME,
  ReAuthenticationField,
  useProofCheck,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { banner } from "../../lib/page/banner.ts";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";

/** First the new address, then the code in the email to it with the password. */
export function EmailChange({ own, user }: { own: OwnEmail; user: Account }) {
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const { revalidate } = useRevalidator();
  if (!isSent)
    return (
      <NewAddress
        email={email}
        onSent={(to) => {
          setEmail(to);
          setSent(true);
        }}
      />
    );
  return (
    <Proof
      own={own}
      user={user}
      email={email}
      onOther={() => setSent(false)}
      onChanged={() => {
        setEmail("");
        setSent(false);
        banner.notify("ownEmail.changed");
        void revalidate();
      }}
    />
  );
}

function NewAddress({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const t = useTranslations("ownEmail");
  const [typed, setTyped] = useState(email);
  const form = useForm<unknown>({
    check: (fields) => pickErrors(requestEmailCode, fields, ["email"]),
    onDone: () => onSent(typed.trim()),
  });
  return (
    <Form {...form.props} className="stack">
      <input type="hidden" name="intent" value="send" />
      <TextField
        label={t("newEmail")}
        name="email"
        type="email"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        placeholder="name@example.com"
        autoComplete="email"
        autoFocus={email !== ""}
        hint={t("notice")}
        {...form.errorsOf("email")}
        required
      />
      <Button type="submit" block busy={form.isBusy}>
        {t("send")}
      </Button>
    </Form>
  );
}

/** A passkey has no field. */
function focusProof(form: HTMLFormElement | null): void {
  const field = form?.elements.namedItem(FIELD_NAME);
  if (field instanceof HTMLInputElement) field.focus();
}

interface ProofProps {
  own: OwnEmail;
  user: Account;
  email: string;
  onOther: () => void;
  onChanged: () => void;
}

function Proof({ own, user, email, onOther, onChanged }: ProofProps) {
  const t = useTranslations("ownEmail");
  const [code, setCode] = useState("");
  const line = useCodeLine(code);
  const checkProof = useProofCheck(user);
  useEffect(() => () => focusHeading(), []); // the focused field disappears with the form
  const form = useForm<unknown>({
    check: (fields) => ({ ...pickErrors(changeEmail, fields, ["code"]), ...checkProof(fields) }),
    onDone: onChanged,
  });
  return (
    <Form {...form.props} className="stack">
      <p role="status">{t.rich("sent", { email, strong: (text) => <strong>{text}</strong> })}</p>
      <input type="hidden" name="intent" value="change" />
      <input type="hidden" name="email" value={email} />
      <CodeField
        line={line}
        value={code}
        onChange={setCode}
        onComplete={focusProof}
        ownError={form.errorsOf("code").error ?? form.errorsOf("code").ownError}
      />
      <LetterCodeButton line={line} />
      <ReAuthenticationField user={user} errors={form.errorsOf(FIELD_NAME)} />
      {own.known_device || user.has_passkey ? (
        <Check name="others_read" hint={t("othersReadHint")} {...form.errorsOf("others_read")}>
          {t("othersRead")}
        </Check>
      ) : (
        <p className="hint">{t("othersReadLater")}</p>
      )}
      <p className="hint">{t("google")}</p>
      <Button type="submit" block busy={form.isBusy}>
        {t("change")}
      </Button>
      <Button kind="ghost" block onClick={onOther}>
        {t("other")}
      </Button>
    </Form>
  );
}
