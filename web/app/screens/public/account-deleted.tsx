import { useEffect, useState } from "react";
import { Link, redirect, type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getDeletionReceipt } from "@alcove/contract/accounts";
import { device } from "../../device/browser.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { lastDeletion } from "../../lib/session/last-deletion.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";

/** A neutral name, which does not show its origin. */
const FILE_NAME = "record.txt";

/** The last page of an account. Only the page that deleted it has the token; a reload leads to the login. */
export async function loader({ params }: LoaderFunctionArgs) {
  const token = lastDeletion.token();
  if (token === null) throw redirect(`/${languageOfSegment(params["lang"])}/login`);
  return api(getDeletionReceipt, { token }).then(
    ({ receipt }) => ({ receipt }),
    () => ({ receipt: null }),
  );
}

export async function action({ request }: { request: Request }) {
  const form = await request.formData();
  form.set("token", lastDeletion.token() ?? "");
  return actionResult(await submitForm(getDeletionReceipt, form));
}

export default function AccountDeletedScreen() {
  const { receipt } = useLoaderData<typeof loader>();
  const t = useTranslations("deleteAccount");
  const base = useLanguagePath();
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    focusHeading();
    return () => lastDeletion.set(null);
  }, []);
  return (
    <Shell width="form">
      <div className="stack">
        <h1>{t("done")}</h1>
        {receipt === null ? (
          <>
            <p>{t("recordNone")}</p>
            <Button block busy={state === "loading"} onClick={() => void revalidate()}>
              {t("recordAgain")}
            </Button>
          </>
        ) : (
          <Receipt receipt={receipt} />
        )}
        <Link className={buttonClass({ kind: "ghost", block: true })} to={`${base}/login`}>
          {t("recordHome")}
        </Link>
      </div>
    </Shell>
  );
}

function Receipt({ receipt }: { receipt: string }) {
  const t = useTranslations("deleteAccount");
  const [isMailing, setMailing] = useState(false);
  const copy = useAction(async () => {
    await device.copy(receipt);
    banner.notify("referral.copied");
  });
  return (
    <>
      <p className="muted">{t("recordText")}</p>
      <TextArea label={t("record")} rows={9} value={receipt} readOnly />
      {device.isNative() ? (
        <Button block busy={copy.isBusy} onClick={copy.start}>
          {t("recordCopy")}
        </Button>
      ) : (
        <Button block onClick={() => save(receipt)}>
          {t("recordSave")}
        </Button>
      )}
      {isMailing ? (
        <EmailForm onSent={() => setMailing(false)} />
      ) : (
        <Button kind="quiet" block onClick={() => setMailing(true)}>
          {t("recordEmail")}
        </Button>
      )}
    </>
  );
}

function EmailForm({ onSent }: { onSent: () => void }) {
  const t = useTranslations("deleteAccount");
  const form = useForm<unknown>({
    check: (fields) => {
      fields.set("token", lastDeletion.token() ?? "");
      return pickErrors(getDeletionReceipt, fields, ["email"]);
    },
    onDone() {
      banner.notify("deleteAccount.recordSent");
      onSent();
    },
  });
  return (
    <Form {...form.props} className="stack">
      <TextField
        label={t("recordAddress")}
        hint={t("recordAddressHint")}
        name="email"
        type="email"
        autoComplete="off"
        required
        {...form.errorsOf("email")}
      />
      <Button type="submit" block busy={form.isBusy}>
        {t("recordSend")}
      </Button>
    </Form>
  );
}

function save(receipt: string): void {
  const url = URL.createObjectURL(new Blob([`${receipt}\n`], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = FILE_NAME;
  link.click();
  URL.revokeObjectURL(url);
}
