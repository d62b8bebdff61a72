import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";
import { useTranslations } from "use-intl";
import type { Translations } from "@alcove/i18n";
import { Icon } from "./icon.tsx";

/** A key of the `fields` translations. */
export type FieldError = keyof Translations["fields"];

interface FieldProps {
  label: string;
  /** Says "(optional)" behind the label. */
  optional?: boolean;
  error?: FieldError | undefined;
  /** An error text for an error without a translation key. */
  errorText?: string | undefined;
  hint?: ReactNode;
}

interface ControlProps {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** The frame of every field: label above, the error between label and control, the hint below; all tied together. */
export function Field({
  label,
  optional,
  error,
  errorText,
  hint,
  children,
}: FieldProps & { children: (wiring: ControlProps) => ReactNode }) {
  const id = useId();
  const t = useTranslations("ui");
  const fault = useErrorText(error, errorText);
  const described = [fault && `${id}-e`, hint && `${id}-h`].filter(Boolean).join(" ");
  return (
    <div className={fault ? "field field--error" : "field"}>
      <label htmlFor={id}>
        {label} {optional && <span className="opt">{t("optional")}</span>}
      </label>
      {fault && <FieldErrorText id={`${id}-e`}>{fault}</FieldErrorText>}
      {children({ id, "aria-invalid": fault ? true : undefined, "aria-describedby": described || undefined })}
      {hint && (
        <span className="hint" id={`${id}-h`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** What is wrong with something, in words. */
export function useErrorText(error: FieldError | undefined, errorText?: string): string | undefined {
  const t = useTranslations("fields");
  return errorText ?? (error && t(error));
}

/** The line that says what is wrong with a field or a group of fields. */
export function FieldErrorText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="error" id={id}>
      <Icon name="alert" />
      <span>{children}</span>
    </p>
  );
}

type TextFieldProps = FieldProps & InputHTMLAttributes<HTMLInputElement>;

export function TextField({ label, optional, error, errorText, hint, className, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, optional, error, errorText, hint }}>
      {(wiring) => <input type="text" {...input} {...wiring} className={className ?? "input"} />}
    </Field>
  );
}

export function TextArea({
  label,
  optional,
  error,
  errorText,
  hint,
  ...area
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, optional, error, errorText, hint }}>
      {(wiring) => <textarea {...area} {...wiring} className="input" />}
    </Field>
  );
}

/** The choices of a select: value and words. */
export type Choices = readonly (readonly [value: string, words: string])[];

function options(choices: Choices): ReactNode {
  return choices.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));
}

export function SelectField({
  label,
  optional,
  error,
  errorText,
  hint,
  choices,
  ...select
}: FieldProps & { choices: Choices } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ label, optional, error, errorText, hint }}>
      {(wiring) => (
        <select {...select} {...wiring} className="input">
          {options(choices)}
        </select>
      )}
    </Field>
  );
}

/** A select without a frame, beside the number whose unit it is. */
export function UnitSelect({
  label,
  choices,
  ...select
}: { label: string; choices: Choices } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...select} className="input" aria-label={label}>
      {options(choices)}
    </select>
  );
}

/** A number and its units side by side; they stack where it is narrow. */
export function NumberWithUnits({
  label,
  optional,
  error,
  hint,
  units,
  ...input
}: FieldProps & { units: ReactNode[] } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, optional, error, hint }}>
      {(wiring) => (
        <div className={units.length > 1 ? "joined joined--3" : "joined"}>
          <input type="number" inputMode="decimal" step="any" {...input} {...wiring} className="input" />
          {units}
        </div>
      )}
    </Field>
  );
}

interface CheckProps extends InputHTMLAttributes<HTMLInputElement> {
  hint?: ReactNode;
  children: ReactNode;
}

/** A checkbox and its words, which may hold links. */
export function Check({ hint, children, ...input }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>
        {children}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}
