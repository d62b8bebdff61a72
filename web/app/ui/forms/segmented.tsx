import { useId, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Choices } from "./field.tsx";
import { FieldErrorText, useErrorText, type FieldError } from "./field.tsx";
import { classNames } from "../class-names.ts";
import fieldStyles from "./field.module.css";
import styles from "./segmented.module.css";

interface SegmentedProps {
  legend: string;
  isLegendHidden?: boolean;
  name: string;
  choices: Choices;
  defaultValue?: string;
  /** The checked choice, if the screen keeps it. */
  value?: string;
  error?: FieldError | undefined;
  ownError?: FieldError | undefined;
  hint?: ReactNode;
  onChange?: (value: string) => void;
}

/** Native radio buttons in a row. */
export function Segmented({
  legend,
  isLegendHidden = false,
  name,
  choices,
  defaultValue,
  value: checked,
  error,
  ownError,
  hint,
  onChange,
}: SegmentedProps) {
  const id = useId();
  const t = useTranslations("ui");
  const message = useErrorText(error);
  const ownText = useErrorText(ownError);
  const ownMessage = [ownError].flat()[0] === "required" ? t("chooseOne") : ownText;
  const isInvalid = Boolean(message ?? ownMessage);
  const describedBy = [isInvalid && id, hint && `${id}-h`].filter(Boolean).join(" ");
  return (
    <fieldset
      role="radiogroup"
      className={classNames(styles.choices, isInvalid && styles.error)}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy || undefined}
    >
      <legend className={isLegendHidden ? "vh" : fieldStyles.legend}>{legend}</legend>
      {message && <FieldErrorText id={id}>{message}</FieldErrorText>}
      <div className={classNames(styles.segmented, choices.length > 3 && styles.many)}>
        {choices.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              {...(checked === undefined
                ? { defaultChecked: value === defaultValue }
                : { checked: value === checked })}
              onChange={() => onChange?.(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {ownMessage && <FieldErrorText id={id}>{ownMessage}</FieldErrorText>}
      {hint && (
        <p className="hint" id={`${id}-h`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
