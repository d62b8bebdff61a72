import { useId } from "react";
import { useTranslations } from "use-intl";
import type { Choices } from "./field.tsx";
import { FieldErrorText, useErrorText, type FieldError } from "./field.tsx";

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
  onChange,
}: SegmentedProps) {
  const id = useId();
  const t = useTranslations("ui");
  const message = useErrorText(error);
  const ownText = useErrorText(ownError);
  const ownMessage = ownError === "required" ? t("chooseOne") : ownText;
  const isInvalid = Boolean(message ?? ownMessage);
  return (
    <fieldset
      role="radiogroup"
      className={isInvalid ? "choices choices--error" : "choices"}
      aria-invalid={isInvalid || undefined}
      aria-describedby={isInvalid ? id : undefined}
    >
      <legend className={isLegendHidden ? "vh" : "legend"}>{legend}</legend>
      {message && <FieldErrorText id={id}>{message}</FieldErrorText>}
      <div className="segmented">
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
    </fieldset>
  );
}
