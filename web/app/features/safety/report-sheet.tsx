import { useRef } from "react";
import { useTranslations } from "use-intl";
import { reportReasons, reportUser } from "@alcove/contract/safety";
import { cut } from "@alcove/contract/text-rules";
import type { Post } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { banner } from "../../lib/page/banner.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { showError } from "../../lib/page/show-error.ts";
import { Sheet } from "../../ui/dialog.tsx";
import {
  Check,
  type Choices,
  FieldErrorText,
  SelectField,
  TextArea,
  useErrorText,
} from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import fieldStyles from "../../ui/forms/field.module.css";

const EXCERPT_LENGTH = 60;

interface ReportSheetProps {
  isOpen: boolean;
  /** Names the member, or their ended match. */
  about: { userId: string } | { endedId: string };
  /** Null for an ended match. */
  name: string | null;
  /** Messages that the report can name; only in a chat. */
  messages?: Choices;
  chosenMessage?: string | null;
  /** Notes that the report can name; not beside messages. */
  posts?: readonly Post[];
  isMatch: boolean;
  /** Blocks the member and leaves their page; null if they are gone. */
  onBlock: (() => Promise<void>) | null;
  onClose: () => void;
}

/** Its screen has a `action` that calls `submitReport`. */
export function ReportSheet({ isOpen, name, onClose, ...form }: ReportSheetProps) {
  const t = useTranslations("safety");
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={name === null ? t("report") : t("reportTitle", { name: isolated(name) })}
      closeButton
    >
      <ReportForm {...form} name={name} onClose={onClose} />
    </Sheet>
  );
}

function ReportForm({
  about,
  name,
  messages,
  chosenMessage = null,
  posts,
  isMatch,
  onBlock,
  onClose,
}: Omit<ReportSheetProps, "isOpen">) {
  const t = useTranslations("safety");
  const alsoBlock = useRef(false);
  const form = useForm<unknown>({
    check: (fields) => pickErrors(reportUser, fields, ["reason", "detail"]),
    complete(fields) {
      fields.set("intent", "report");
      alsoBlock.current = fields.has("alsoBlock");
    },
    async onDone() {
      banner.notify("safety.reported");
      onClose();
      if (alsoBlock.current) await block();
    },
  });

  async function block() {
    try {
      await onBlock?.();
      banner.notify("safety.blocked");
    } catch (error) {
      showError(error);
    }
  }

  return (
    <Form {...form.props} className="stack">
      <p className="muted">{t("reportText")}</p>
      {Object.entries(about).map(([field, id]) => (
        <input key={field} type="hidden" name={field} value={id} />
      ))}
      <Reasons errors={form.errorsOf("reason")} />
      {messages && messages.length > 0 && (
        <SelectField
          label={t("message")}
          name="dmId"
          optional
          choices={[["", t("noMessage")], ...messages]}
          defaultValue={chosenMessage ?? ""}
          hint={t("messageHint")}
        />
      )}
      {posts && posts.length > 0 && (
        <SelectField
          label={t("note")}
          name="postId"
          optional
          choices={[
            ["", t("noNote")],
            ...posts.map(({ id, text }) => [id, cut(text, EXCERPT_LENGTH)] as const),
          ]}
          hint={t("noteHint")}
        />
      )}
      {"endedId" in about && <p className="hint">{t("endedHint")}</p>}
      <TextArea label={t("detail")} name="detail" optional rows={3} {...form.errorsOf("detail")} />
      {onBlock && name !== null && (
        <Check name="alsoBlock" hint={t(isMatch ? "alsoBlockHint" : "text")}>
          {t("alsoBlock", { name: isolated(name) })}
        </Check>
      )}
      <SheetButtons
        isBusy={form.isBusy}
        confirm={t("sendReport")}
        cancel={t("cancel")}
        onCancel={onClose}
        isDanger
      />
    </Form>
  );
}

function Reasons({ errors: { error, ownError } }: { errors: ShownErrors }) {
  const t = useTranslations("safety");
  const tUi = useTranslations("ui");
  const serverError = useErrorText(error);
  const hasError = serverError !== undefined || ownError !== undefined;
  return (
    <fieldset
      role="radiogroup"
      aria-invalid={hasError || undefined}
      aria-describedby={hasError ? "report-reason-e" : undefined}
    >
      <legend className={fieldStyles.legend}>{t("reason")}</legend>
      {serverError && <FieldErrorText id="report-reason-e">{serverError}</FieldErrorText>}
      {reportReasons.map((reason) => (
        <label className={fieldStyles.check} key={reason}>
          <input type="radio" name="reason" value={reason} />
          <span>{t(`reason_${reason}`)}</span>
        </label>
      ))}
      {ownError && <FieldErrorText id="report-reason-e">{tUi("chooseOne")}</FieldErrorText>}
    </fieldset>
  );
}
