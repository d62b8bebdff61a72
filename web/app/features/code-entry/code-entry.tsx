import { useId, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { foldCode } from "@alcove/contract/fields";
import { CODE_MISSES } from "@alcove/contract/limits";
import { banner } from "../../lib/page/banner.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { settings } from "../../lib/page/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";
import { CodeField, isCompleteCode, LetterCodeButton, useCodeLine } from "./code-field.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";
import { classNames } from "../../ui/class-names.ts";
import wizardStyles from "../../ui/wizard/wizard.module.css";
import buttonStyles from "../../ui/button.module.css";
import styles from "./code-entry.module.css";

const RESEND_AFTER_MS = 60_000;

interface EnteredCode {
  /** As typed. */
  readonly code: string;
  readonly misses: number;
  /** When the last code was requested. */
  readonly sentAt: number;
}

interface CodeEntryProps {
  steps: ReactNode;
  email: string;
  entered: EnteredCode;
  onChange: (changes: Partial<EnteredCode>) => void;
  onConfirmed: (code: string) => void;
  onOtherEmail: () => void;
  onBack: () => void;
  /** Called after the last allowed attempt. */
  onMissedTooOften: () => void;
  saved?: string;
}

/**
 * The route's `action` gets `email`, `code` and the intent `confirm`, and returns whether the code is right. For another
 * code it gets `email` and the intent `send`.
 */
export function CodeEntry({
  steps,
  email,
  entered: { code, misses, sentAt },
  onChange,
  onConfirmed,
  onOtherEmail,
  onBack,
  onMissedTooOften,
  saved,
}: CodeEntryProps) {
  const t = useTranslations("codes");
  const triesLeft = CODE_MISSES - misses;
  const form = useForm<boolean>({
    check: () => ({}),
    complete(fields) {
      fields.set("intent", "confirm");
      fields.set("email", email);
    },
    onDone: (isRight) => (isRight ? onConfirmed(foldCode(code)) : handleMiss()),
  });
  const line = useCodeLine(code);
  const resendId = useId();
  const resend = useForm<unknown>({
    check: () => ({}),
    onDone() {
      onChange({ misses: 0, code: "", sentAt: Date.now() });
      banner.notify("codes.sent");
    },
  });

  function handleMiss() {
    if (triesLeft > 1) return onChange({ misses: misses + 1, code: "" });
    banner.alert("codes.missedTooOften");
    onMissedTooOften();
  }

  const isComplete = isCompleteCode(code);
  return (
    <>
      <Wizard
        {...form.props}
        onSubmit={(element) => isComplete && form.props.onSubmit(element)}
        steps={steps}
        title={t("title")}
        lead={t.rich("lead", { email, strong: (text) => <strong>{text}</strong> })}
        back={
          <Button kind="ghost" onClick={onBack}>
            {t("back")}
          </Button>
        }
        action={t("confirm")}
        isBusy={form.isBusy}
        waitsFor={isComplete ? null : t("goesOn")}
        saved={saved ?? null}
        more={
          <>
            <div className={wizardStyles.links}>
              <Resend key={sentAt} sentAt={sentAt} isBusy={resend.isBusy} formId={resendId} />
              <button type="button" className={buttonStyles.linkButton} onClick={onOtherEmail}>
                {t("otherEmail")}
              </button>
            </div>
            <p className={classNames("hint", styles.help)}>
              {t("nothingThere", { brand: settings.brandName })} <LetterCodeButton line={line} />
            </p>
          </>
        }
      >
        <CodeField
          line={line}
          value={code}
          onChange={(typed) => onChange({ code: typed })}
          ownError={misses > 0 ? { text: t("wrong", { left: triesLeft }) } : undefined}
        />
      </Wizard>
      <Form {...resend.props} id={resendId} hidden>
        <HiddenFields fields={{ intent: "send", email }} />
      </Form>
    </>
  );
}

function HiddenFields({ fields }: { fields: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

function Resend({ sentAt, isBusy, formId }: { sentAt: number; isBusy: boolean; formId: string }) {
  const t = useTranslations("codes");
  const seconds = useSecondsUntil(sentAt + RESEND_AFTER_MS);
  if (seconds === 0)
    return (
      <button
        type="submit"
        form={formId}
        className={buttonStyles.linkButton}
        aria-disabled={isBusy || undefined}
      >
        {t("another")}
      </button>
    );
  return (
    <span className={classNames(buttonStyles.linkButton, buttonStyles.linkOff)}>
      <Icon name="clock" small />
      <span className="num">{t("anotherIn", { time: formatSeconds(seconds) })}</span>
    </span>
  );
}

const formatSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
