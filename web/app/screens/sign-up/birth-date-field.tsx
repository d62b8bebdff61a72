import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { ADULT_AGE, OLDEST_AGE } from "@alcove/contract/limits";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { FieldErrorText, useErrorText, type Choices } from "../../ui/forms/field.tsx";
import { classNames } from "../../ui/class-names.ts";
import fieldStyles from "../../ui/forms/field.module.css";
import styles from "./sign-up.module.css";

type Part = "year" | "month" | "day";

const FIELD = "date_of_birth";
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

interface BirthDateFieldProps {
  /** The fields typed so far. */
  values: Readonly<Record<string, string>>;
  errors: ShownErrors;
}

/** Day, month and year in the order of the language, sent as one date. */
export function BirthDateField({ values, errors }: BirthDateFieldProps) {
  const t = useTranslations("profileForm");
  const language = useLocale();
  const error = useErrorText(errors.error);
  const ownError = useErrorText(errors.ownError);
  const [chosen, setChosen] = useState<Record<Part, string>>({
    year: values["birth_year"] ?? "",
    month: values["birth_month"] ?? "",
    day: values["birth_day"] ?? "",
  });
  const { year, month, day } = chosen;
  const choices = useDateChoices(language);
  const order: Part[] = language === "en" ? ["day", "month", "year"] : ["year", "month", "day"];
  const isInvalid = Boolean(error ?? ownError);
  return (
    <fieldset
      className={classNames(fieldStyles.field, isInvalid && fieldStyles.fieldError)}
      aria-describedby={`${FIELD}-e`}
    >
      <legend className={fieldStyles.legend}>{t("dateOfBirth")}</legend>
      {error && <FieldErrorText id={`${FIELD}-e`}>{error}</FieldErrorText>}
      <div className={styles.birthDate}>
        {order.map((part) => (
          <select
            key={part}
            className={fieldStyles.input}
            name={`birth_${part}`}
            data-field={FIELD}
            autoComplete={`bday-${part}`}
            aria-label={t(part)}
            aria-invalid={isInvalid || undefined}
            aria-describedby={isInvalid ? `${FIELD}-e` : `${FIELD}-h`}
            value={chosen[part]}
            onChange={({ currentTarget }) => setChosen({ ...chosen, [part]: currentTarget.value })}
            required
          >
            <option value="">{t(part)}</option>
            {choices[part].map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ))}
      </div>
      <input type="hidden" name={FIELD} value={year && month && day ? `${year}-${month}-${day}` : ""} />
      {ownError ? (
        <FieldErrorText id={`${FIELD}-e`}>{ownError}</FieldErrorText>
      ) : (
        <span className="hint" id={`${FIELD}-h`}>
          {t("ageOnly")}
        </span>
      )}
    </fieldset>
  );
}

function useDateChoices(language: string): Record<Part, Choices> {
  const thisYear = new Date(serverNow()).getUTCFullYear();
  const format = (options: Intl.DateTimeFormatOptions, at: Date) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(at);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return {
    year: numbers(thisYear - OLDEST_AGE, thisYear - ADULT_AGE)
      .reverse()
      .map((year) => [String(year), format({ year: "numeric" }, new Date(Date.UTC(year, 6)))]),
    month: numbers(1, 12).map((month) => [
      twoDigits(month),
      // The long name is 四月 in Chinese, beside the digits of year and day.
      format({ month: language === "en" ? "long" : "short" }, new Date(Date.UTC(2000, month - 1))),
    ]),
    day: numbers(1, 31).map((day) => [
      twoDigits(day),
      format({ day: "numeric" }, new Date(Date.UTC(2000, 0, day))),
    ]),
  };
}
