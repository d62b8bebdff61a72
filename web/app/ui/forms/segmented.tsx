import { useId } from "react";
import type { Choices } from "./field.tsx";
import { FieldErrorText, useErrorText, type FieldError } from "./field.tsx";

interface SegmentedProps {
  legend: string;
  name: string;
  choices: Choices;
  defaultValue?: string;
  /** The checked choice, if the screen keeps it. */
  value?: string;
  error?: FieldError | undefined;
  onChange?: (value: string) => void;
}

/** Native radio buttons in a row. */
export function Segmented({
  legend,
  name,
  choices,
  defaultValue,
  value: checked,
  error,
  onChange,
}: SegmentedProps) {
  const id = useId();
  const message = useErrorText(error);
  return (
    <fieldset role="radiogroup" aria-invalid={message ? true : undefined} aria-describedby={message && id}>
      <legend className="legend">{legend}</legend>
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
    </fieldset>
  );
}
