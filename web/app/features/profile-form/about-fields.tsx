import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import type { ErrorsOf } from "../../lib/forms/use-form-errors.ts";
import { fromFeet, toFeet } from "../../lib/dates-and-units/units.ts";
import { Field, NumberWithUnits, TextArea, TextField, UnitSelect } from "../../ui/forms/field.tsx";
import { useProfileChoices } from "./choices.ts";
import { classNames } from "../../ui/class-names.ts";
import fieldStyles from "../../ui/forms/field.module.css";

const CURRENCIES: Readonly<Record<string, string>> = { ja: "JPY", "zh-hant": "TWD" };

interface ProfileFieldsProps {
  /** The stored profile, or the fields typed so far. */
  user?: Partial<User> | undefined;
  errorsOf: ErrorsOf;
}

export function NameField({ user, errorsOf }: ProfileFieldsProps) {
  const t = useTranslations("profileForm");
  return (
    <TextField
      label={t("username")}
      name="username"
      defaultValue={user?.username}
      autoComplete="off"
      hint={t("usernameHint")}
      {...errorsOf("username")}
      required
    />
  );
}

export function IntroductionField({ user, errorsOf }: ProfileFieldsProps) {
  const t = useTranslations("profileForm");
  return (
    <TextArea
      label={t("description")}
      name="description"
      rows={4}
      defaultValue={user?.description}
      hint={t("markdown")}
      {...errorsOf("description")}
      required
    />
  );
}

/** The optional facts. */
export function FactFields({ user, errorsOf }: ProfileFieldsProps) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const unitLabel = t("unit");
  return (
    <>
      <NumberWithUnits
        label={t("howLongMarried")}
        optional
        name="how_long_married"
        min={0}
        defaultValue={user?.how_long_married ?? undefined}
        {...errorsOf("how_long_married")}
        units={[
          <UnitSelect
            key="unit"
            label={unitLabel}
            name="how_long_married_unit"
            choices={choices.married}
            defaultValue={user?.how_long_married_unit ?? "year"}
          />,
        ]}
      />
      <Height user={user} errorsOf={errorsOf} />
      <NumberWithUnits
        label={t("weight")}
        optional
        name="weight"
        min={0}
        defaultValue={user?.weight ?? undefined}
        {...errorsOf("weight")}
        units={[
          <UnitSelect
            key="unit"
            label={unitLabel}
            name="weight_unit"
            choices={choices.weight}
            defaultValue={user?.weight_unit ?? "kg"}
          />,
        ]}
      />
      <Salary user={user} errorsOf={errorsOf} />
      <TextField
        label={t("purpose")}
        optional
        name="purpose"
        defaultValue={user?.purpose ?? ""}
        autoComplete="off"
        {...errorsOf("purpose")}
      />
      <TextField
        label={t("hobby")}
        optional
        name="hobby"
        defaultValue={user?.hobby ?? ""}
        autoComplete="off"
        {...errorsOf("hobby")}
      />
    </>
  );
}

function Salary({ user, errorsOf }: ProfileFieldsProps) {
  const t = useTranslations("profileForm");
  const currency = CURRENCIES[useLocale()] ?? "USD";
  const choices = useProfileChoices();
  return (
    <NumberWithUnits
      label={t("salary")}
      optional
      name="salary"
      min={0}
      defaultValue={user?.salary ?? undefined}
      {...errorsOf("salary")}
      units={[
        <UnitSelect
          key="unit"
          label={t("currency")}
          name="salary_unit"
          choices={choices.salary}
          defaultValue={user?.salary_unit ?? currency}
        />,
        <UnitSelect
          key="per"
          label={t("per")}
          name="salary_duration"
          choices={choices.salaryDurations}
          defaultValue={user?.salary_duration ?? "year"}
        />,
      ]}
    />
  );
}

/** A height in centimetres, or in feet and inches, which are sent as one number. */
function Height({ user, errorsOf }: ProfileFieldsProps) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const [unit, setUnit] = useState<string>(user?.tall_unit ?? "cm");
  const stored = user?.tall ?? null;
  const inFeet = stored !== null && user?.tall_unit === "feet inches" ? toFeet(stored) : null;
  const [feet, setFeet] = useState(inFeet ? String(inFeet.feet) : "");
  const [inches, setInches] = useState(inFeet ? String(inFeet.inches) : "");
  const [cm, setCm] = useState(stored !== null && user?.tall_unit === "cm" ? String(stored) : "");
  const select = (
    <UnitSelect
      label={t("unit")}
      name="tall_unit"
      choices={choices.tall}
      value={unit}
      onChange={(event) => setUnit(event.currentTarget.value)}
    />
  );
  return (
    <Field label={t("height")} optional {...errorsOf("tall")}>
      {(control) =>
        unit === "cm" ? (
          <div className={fieldStyles.joined}>
            <input
              {...control}
              className={fieldStyles.input}
              type="number"
              inputMode="decimal"
              step="any"
              min={0}
              name="tall"
              value={cm}
              onChange={(event) => setCm(event.currentTarget.value)}
            />
            {select}
          </div>
        ) : (
          <div className={classNames(fieldStyles.joined, fieldStyles.joinedThree)}>
            <input
              {...control}
              className={fieldStyles.input}
              type="number"
              inputMode="numeric"
              min={0}
              max={9}
              aria-label={t("feet")}
              data-field="tall"
              placeholder={t("feet")}
              value={feet}
              onChange={(event) => setFeet(event.currentTarget.value)}
            />
            <input
              className={fieldStyles.input}
              type="number"
              inputMode="numeric"
              min={0}
              max={11}
              aria-label={t("inches")}
              data-field="tall"
              placeholder={t("inches")}
              value={inches}
              onChange={(event) => setInches(event.currentTarget.value)}
            />
            {select}
            <input type="hidden" name="tall" value={fromFeet(feet, inches)} />
          </div>
        )
      }
    </Field>
  );
}
