import { useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { type NoticeKind, sendNotice } from "@alcove/contract/notices";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import {
  Check,
  Field,
  type FieldError,
  FieldErrorText,
  SelectField,
  TextArea,
  TextField,
  useErrorText,
} from "../../ui/forms/field.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Form } from "../../ui/forms/form.tsx";
import { PictureInput } from "../../ui/forms/picture-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./notice.module.css";

export interface SentNotice {
  readonly number: string;
  readonly email: string;
}

const FIELDS = ["kind", "text", "url", "user_id", "file", "name", "email", "good_faith"] as const;
/** The most frequent first. */
const ORDER: readonly NoticeKind[] = ["picture", "intimate", "illegal", "child", "other"];

export function NoticeForm({ onSent }: { onSent: (sent: SentNotice) => void }) {
  const t = useTranslations("notice");
  const [kind, setKind] = useState<string>("picture");
  const [file, setFile] = useState<File | null>(null);
  const takesPicture = kind !== "child";
  const form = useForm<SentNotice>({
    check: (fields) => pickErrors(sendNotice, fields, FIELDS),
    complete: (fields) => {
      if (file && takesPicture) fields.set("file", file);
    },
    onDone: onSent,
  });
  return (
    <Form className="stack" {...form.props}>
      <SelectField
        label={t("kind")}
        name="kind"
        choices={ORDER.map((one) => [one, t(`kind_${one}`)] as const)}
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        {...form.errorsOf("kind")}
      />
      {!takesPicture && (
        <div className={classNames(noteStyles.note, noteStyles.lamp)} role="status">
          <Icon name="alert" />
          <p>{t("childNote")}</p>
        </div>
      )}
      <TextArea label={t("text")} name="text" rows={5} hint={t("textHint")} {...form.errorsOf("text")} />
      <fieldset className="stack">
        <legend className={styles.heading}>{t("where")}</legend>
        <TextField label={t("url")} name="url" inputMode="url" optional {...form.errorsOf("url")} />
        <TextField
          label={t("userId")}
          name="userId"
          autoCapitalize="none"
          spellCheck={false}
          optional
          {...form.errorsOf("userId")}
        />
        {takesPicture && <PictureChoice file={file} onChange={setFile} errors={form.errorsOf("file")} />}
      </fieldset>
      <fieldset className="stack">
        <legend className={styles.heading}>{t("you")}</legend>
        <TextField label={t("name")} name="name" autoComplete="name" required {...form.errorsOf("name")} />
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="email"
          hint={t("emailHint")}
          required
          {...form.errorsOf("email")}
        />
      </fieldset>
      <GoodFaith {...form.errorsOf("good_faith")} />
      <RecaptchaNotice />
      <Button type="submit" block busy={form.isBusy}>
        {t("send")}
      </Button>
    </Form>
  );
}

function GoodFaith({
  error,
  ownError,
}: {
  error?: FieldError | undefined;
  ownError?: FieldError | undefined;
}) {
  const t = useTranslations("notice");
  const id = useId();
  const message = useErrorText(error ?? ownError);
  return (
    <div className="stack-sm">
      <Check
        name="good_faith"
        value="yes"
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? id : undefined}
      >
        {t("goodFaith")}
      </Check>
      {message && <FieldErrorText id={id}>{message}</FieldErrorText>}
    </div>
  );
}

interface PictureChoiceProps {
  file: File | null;
  onChange: (file: File | null) => void;
  errors: object;
}

function PictureChoice({ file, onChange, errors }: PictureChoiceProps) {
  const t = useTranslations("notice");
  const input = useRef<HTMLInputElement>(null);
  const action = t(file ? "removePicture" : "choosePicture");
  return (
    <Field label={t("picture")} optional hint={t("pictureHint")} {...errors}>
      {(control) => (
        <div className="row">
          <PictureInput ref={input} label={t("choosePicture")} field="file" onChoose={onChange} />
          {file && <span className={styles.file}>{file.name}</span>}
          <Button
            {...control}
            kind="quiet"
            aria-label={action}
            onClick={() => (file ? onChange(null) : input.current?.click())}
          >
            {action}
          </Button>
        </div>
      )}
    </Field>
  );
}
