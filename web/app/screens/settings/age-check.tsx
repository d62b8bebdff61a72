import { useRef, useState } from "react";
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  replace,
  useLoaderData,
  useRevalidator,
} from "react-router";
import { useTranslations } from "use-intl";
import { type AgeCheckState, getAgeCheck, sendAgeCheck } from "@alcove/contract/age-check";
import { RETENTION } from "@alcove/contract/retention";
import { api } from "../../lib/api/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { readWithFiles } from "../../lib/forms/form-files.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { useObjectUrl } from "../../lib/forms/use-object-url.ts";
import { banner } from "../../lib/page/banner.ts";
import { settings } from "../../lib/page/settings.ts";
import { Button } from "../../ui/button.tsx";
import { FieldErrorText, useErrorText } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { PictureInput } from "../../ui/forms/picture-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import { SettingHead } from "./setting-head.tsx";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./settings.module.css";

export async function loader({ params }: LoaderFunctionArgs) {
  if (settings.ageCheck === "off") throw replace(`/${params["lang"]}/setting`);
  return api(getAgeCheck, {});
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(sendAgeCheck, await readWithFiles(request)));
}

export { reloadWhenDone as shouldRevalidate } from "../../lib/forms/submit-form.ts";

/** The picture of a document, which an operator compares with the date of birth. */
export default function AgeCheckScreen() {
  const { state } = useLoaderData<typeof loader>();
  const t = useTranslations("ageCheck");
  const [isReplacing, setReplacing] = useState(false);
  const { revalidate } = useRevalidator();
  const isForm = state !== "approved" && (state !== "waiting" || isReplacing);

  function handleSent() {
    setReplacing(false);
    void revalidate();
  }
  return (
    <div className="stack form--narrow">
      <SettingHead title={t("title")} />
      <StateNote state={state} />
      {state === "missing" && <p className="muted">{t("lead")}</p>}
      {isForm && <DocumentForm onSent={handleSent} />}
      {state === "waiting" && !isReplacing && (
        <Button kind="quiet" onClick={() => setReplacing(true)}>
          {t("again")}
        </Button>
      )}
      <p className="muted small">{t("minors")}</p>
    </div>
  );
}

function StateNote({ state }: { state: AgeCheckState }) {
  const t = useTranslations("ageCheck");
  if (state === "missing") return null;
  const isFine = state === "approved" || state === "waiting";
  return (
    <div className={classNames(noteStyles.note, !isFine && noteStyles.danger)} role="status">
      <Icon name={isFine ? "check" : "alert"} />
      <p>{t(state, { support: settings.supportEmail })}</p>
    </div>
  );
}

function DocumentForm({ onSent }: { onSent: () => void }) {
  const t = useTranslations("ageCheck");
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const preview = useObjectUrl(file);
  const form = useForm<unknown>({
    check: () => ({}),
    complete: (fields) => file && fields.set("file", file),
    onDone() {
      setFile(null);
      banner.notify("ageCheck.sent");
      onSent();
    },
  });
  const { error, ownError } = form.errorsOf("file");
  const message = useErrorText(error ?? ownError);
  return (
    <Form {...form.props} className="stack">
      <section className="stack-sm">
        <h2>{t("whatToSend")}</h2>
        <ul className={styles.points}>
          {(["documents", "show", "cover"] as const).map((point) => (
            <li key={point}>{t(point)}</li>
          ))}
        </ul>
      </section>
      <div className={noteStyles.note}>
        <Icon name="shield" />
        <p>{t("kept", { days: String(RETENTION.ageCheckDays) })}</p>
      </div>
      {message && <FieldErrorText id="document-error">{message}</FieldErrorText>}
      {preview && <img className={styles.document} src={preview} alt={t("file")} />}
      <PictureInput ref={input} label={t("file")} field="file" onChoose={setFile} />
      <Button
        kind="quiet"
        block
        aria-describedby={message ? "document-error" : undefined}
        onClick={() => input.current!.click()}
      >
        {t("choose")}
      </Button>
      <Button type="submit" block disabled={!file} busy={form.isBusy}>
        {t("send")}
      </Button>
    </Form>
  );
}
