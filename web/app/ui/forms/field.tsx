import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";
import { useTranslations } from "use-intl";
import type { Translations } from "@alcove/i18n";
import { Icon } from "../icon.tsx";
import { classNames } from "../class-names.ts";
import styles from "./field.module.css";

/** A key of the `fields` translations, or a text. */
type FieldMessage = keyof Translations["fields"] | { readonly text: string };

/** One message, or all of a field. */
export type FieldError = FieldMessage | readonly FieldMessage[];

interface FieldProps {
  label: string;
  optional?: boolean;
  /** The server's message, between label and field. */
  error?: FieldError | undefined;
  /** The page's own check, in place of the help text. */
  ownError?: FieldError | undefined;
  hint?: ReactNode;
}

interface ControlProps {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** The frame of every field: label, error, control and help text, connected for screen readers. */
export function Field({
  label,
  optional,
  error,
  ownError,
  hint: help,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const t = useTranslations("ui");
  const message = useErrorText(error);
  const ownMessage = useErrorText(ownError);
  const hint = ownMessage ? undefined : help;
  const describedBy = [message && `${id}-e`, ownMessage && `${id}-o`, hint && `${id}-h`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={classNames(styles.field, Boolean(message || ownMessage) && styles.fieldError)}>
      <label htmlFor={id}>
        {label} {optional && <span className={styles.optional}>{t("optional")}</span>}
      </label>
      {message && <FieldErrorText id={`${id}-e`}>{message}</FieldErrorText>}
      {children({
        id,
        "aria-invalid": message || ownMessage ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {ownMessage && <FieldErrorText id={`${id}-o`}>{ownMessage}</FieldErrorText>}
      {hint && (
        <span className="hint" id={`${id}-h`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** Returns one line for each message. */
export function useErrorText(error: FieldError | undefined): string | undefined {
  const t = useTranslations("fields");
  if (error === undefined) return undefined;
  const messages: readonly FieldMessage[] = [error].flat();
  return messages.map((message) => (typeof message === "object" ? message.text : t(message))).join("\n");
}

/** The error line of a field or a group of fields. */
export function FieldErrorText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      <Icon name="alert" />
      <span>{children}</span>
    </p>
  );
}

type TextFieldProps = FieldProps & InputHTMLAttributes<HTMLInputElement>;

export function TextField({ label, optional, error, ownError, hint, className, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, optional, error, ownError, hint }}>
      {(control) => (
        <input type="text" dir="auto" {...input} {...control} className={className ?? styles.input} />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  optional,
  error,
  ownError,
  hint,
  ...area
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, optional, error, ownError, hint }}>
      {(control) => <textarea dir="auto" {...area} {...control} className={styles.input} />}
    </Field>
  );
}

export type Choices = readonly (readonly [value: string, label: string])[];

function options(choices: Choices): ReactNode {
  return choices.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

export function SelectField({
  label,
  optional,
  error,
  ownError,
  hint,
  choices,
  ...select
}: FieldProps & { choices: Choices } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ label, optional, error, ownError, hint }}>
      {(control) => (
        <select {...select} {...control} className={styles.input}>
          {options(choices)}
        </select>
      )}
    </Field>
  );
}

/** A select without a frame, beside its number. */
export function UnitSelect({
  label,
  choices,
  ...select
}: { label: string; choices: Choices } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...select} className={styles.input} aria-label={label}>
      {options(choices)}
    </select>
  );
}

export function NumberWithUnits({
  label,
  optional,
  error,
  ownError,
  hint,
  units,
  ...input
}: FieldProps & { units: ReactNode[] } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, optional, error, ownError, hint }}>
      {(control) => (
        <div className={classNames(styles.joined, units.length > 1 && styles.joinedThree)}>
          <NumberInput {...input} {...control} />
          {units}
        </div>
      )}
    </Field>
  );
}

/** Not `type="number"`, which the wheel changes, and whose unreadable text is lost. */
export function NumberInput(input: InputHTMLAttributes<HTMLInputElement>) {
  return <input type="text" inputMode="decimal" autoComplete="off" {...input} className={styles.input} />;
}

interface CheckProps extends InputHTMLAttributes<HTMLInputElement> {
  hint?: ReactNode;
  children: ReactNode;
}

export function Check({ hint, children, ...input }: CheckProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>
        {children}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}
