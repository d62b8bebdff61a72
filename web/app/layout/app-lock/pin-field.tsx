import type { InputHTMLAttributes, Ref } from "react";
import { Field } from "../../ui/forms/field.tsx";

interface PinFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  errorText?: string | undefined;
  hint?: string;
  ref?: Ref<HTMLInputElement>;
}

export function PinField({ label, errorText, hint, ...input }: PinFieldProps) {
  return (
    <Field label={label} errorText={errorText} hint={hint}>
      {(wiring) => (
        <input
          {...input}
          {...wiring}
          className="input"
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
        />
      )}
    </Field>
  );
}
