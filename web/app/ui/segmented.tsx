import { useId } from "react";
import type { Choices } from "./field.tsx";
import { FieldErrorText, useErrorText, type FieldError } from "./field.tsx";

interface SegmentedProps {
  legend: string;
  name: string;
  choices: Choices;
  defaultValue?: string;
  error?: FieldError | undefined;
  onChange?: (value: string) => void;
}

/** One of a few, as native radio buttons in a row. */
export function Segmented({ legend, name, choices, defaultValue, error, onChange }: SegmentedProps) {
  const id = useId();
  const fault = useErrorText(error);
  return (
    <fieldset role="radiogroup" aria-invalid={fault ? true : undefined} aria-describedby={fault && id}>
      <legend className="legend">{legend}</legend>
      {fault && <FieldErrorText id={id}>{fault}</FieldErrorText>}
      <div className="segmented">
        {choices.map(([value, words]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
              onChange={() => onChange?.(value)}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
