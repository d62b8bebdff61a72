import type { InputHTMLAttributes, Ref } from "react";
import { Field, type FieldError } from "../../ui/forms/field.tsx";
import fieldStyles from "../../ui/forms/field.module.css";

interface PinFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error?: FieldError | undefined;
  ownError?: FieldError | undefined;
  hint?: string;
  ref?: Ref<HTMLInputElement>;
}

export function PinField({ label, error, ownError, hint, ...input }: PinFieldProps) {
  return (
    <Field {...{ label, error, ownError, hint }}>
      {(wiring) => (
        <input
          {...input}
          {...wiring}
          className={fieldStyles.input}
          type="password"
          inputMode="numeric"
          autoComplete="off"
        />
      )}
    </Field>
  );
}
