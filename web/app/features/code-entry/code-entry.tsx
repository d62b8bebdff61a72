import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { foldCode } from "@alcove/contract/fields";
import { CODE_MISSES } from "@alcove/contract/limits";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { settings } from "../../lib/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";
import { CodeField, isCompleteCode } from "./code-field.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";

const RESEND_AFTER_MS = 60_000;

export interface EnteredCode {
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
  /** Returns true if another email is sent. */
  onResend: () => Promise<boolean>;
  onOtherEmail: () => void;
  onBack: () => void;
  /** Called after the last allowed attempt. */
  onMissedTooOften: () => void;
  saved?: string;
}

/** The route's `clientAction` gets `email`, `code` and the intent `confirm`, and returns whether the code is right. */
export function CodeEntry({
  steps,
  email,
  entered: { code, misses, sentAt },
  onChange,
  onConfirmed,
  onResend,
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
  const resend = useAction(async () => {
    if (!(await onResend())) return;
    onChange({ misses: 0, code: "", sentAt: Date.now() });
    banner.notify("codes.sent");
  });

  function handleMiss() {
    if (triesLeft > 1) return onChange({ misses: misses + 1, code: "" });
    banner.alert("codes.missedTooOften");
    onMissedTooOften();
  }

  const isComplete = isCompleteCode(code);
  return (
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
          <div className="links-row">
            <Resend key={sentAt} sentAt={sentAt} isBusy={resend.isBusy} onResend={resend.start} />
            <button type="button" className="link-btn" onClick={onOtherEmail}>
              {t("otherEmail")}
            </button>
          </div>
          <p className="hint">{t("nothingThere", { brand: settings.brandName })}</p>
        </>
      }
    >
      <CodeField
        value={code}
        onChange={(typed) => onChange({ code: typed })}
        ownError={misses > 0 ? { text: t("wrong", { left: triesLeft }) } : undefined}
      />
    </Wizard>
  );
}

function Resend({ sentAt, isBusy, onResend }: { sentAt: number; isBusy: boolean; onResend: () => void }) {
  const t = useTranslations("codes");
  const seconds = useSecondsUntil(sentAt + RESEND_AFTER_MS);
  if (seconds === 0)
    return (
      <button type="button" className="link-btn" aria-disabled={isBusy || undefined} onClick={onResend}>
        {t("another")}
      </button>
    );
  return (
    <span className="link-btn link-btn--off">
      <Icon name="clock" small />
      <span className="num">{t("anotherIn", { time: formatSeconds(seconds) })}</span>
    </span>
  );
}

const formatSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
