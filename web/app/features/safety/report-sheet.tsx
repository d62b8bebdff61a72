import { useRef } from "react";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { REPORT_MAX } from "@alcove/contract/limits";
import { reportReasons, reportUser } from "@alcove/contract/safety";
import { banner } from "../../lib/banner.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
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

interface ReportSheetProps {
  isOpen: boolean;
  userId: string;
  name: string;
  /** Messages that the report can name; only in a chat. */
  messages?: Choices;
  chosenMessage?: string | null;
  onReport: (report: ParsedOf<typeof reportUser>) => Promise<void>;
  /** Blocks the member and leaves their page. */
  onBlock: () => Promise<void>;
  onClose: () => void;
}

export function ReportSheet({ isOpen, name, onClose, ...form }: ReportSheetProps) {
  const t = useTranslations("safety");
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("reportTitle", { name })} closeButton>
      <ReportForm {...form} name={name} onClose={onClose} />
    </Sheet>
  );
}

function ReportForm({
  userId,
  name,
  messages,
  chosenMessage = null,
  onReport,
  onBlock,
  onClose,
}: Omit<ReportSheetProps, "isOpen">) {
  const t = useTranslations("safety");
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
  const reasonError = useErrorText(errorOf(formErrors.errors, "reason"));
  const send = useAction(async (report: ParsedOf<typeof reportUser>, alsoBlock: boolean) => {
    await onReport(report);
    banner.notify("safety.reported");
    onClose();
    if (!alsoBlock) return;
    await onBlock();
    banner.notify("safety.blocked");
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const data = new FormData(element);
    const parsed = readForm(reportUser.input, data);
    if (!parsed.ok) return formErrors.markInvalid(parsed.errors);
    formErrors.clear();
    send.start(parsed.value, data.has("alsoBlock"));
  }

  return (
    <Form className="stack" ref={form} noValidate onSubmit={handleSubmit}>
      <p className="muted">{t("reportText")}</p>
      <input type="hidden" name="userId" value={userId} />
      <fieldset
        role="radiogroup"
        aria-invalid={reasonError ? true : undefined}
        aria-describedby={reasonError ? "report-reason-e" : undefined}
      >
        <legend className="legend">{t("reason")}</legend>
        {reasonError && <FieldErrorText id="report-reason-e">{reasonError}</FieldErrorText>}
        {reportReasons.map((reason) => (
          <label className="check" key={reason}>
            <input type="radio" name="reason" value={reason} />
            <span>{t(`reason_${reason}`)}</span>
          </label>
        ))}
      </fieldset>
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
      <TextArea
        label={t("detail")}
        name="detail"
        optional
        rows={3}
        maxLength={REPORT_MAX}
        error={errorOf(formErrors.errors, "detail")}
      />
      <Check name="alsoBlock" hint={t("alsoBlockHint")}>
        {t("alsoBlock", { name })}
      </Check>
      <div className="sheet__actions">
        <Button type="submit" kind="danger" busy={send.isBusy}>
          {t("sendReport")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Form>
  );
}
