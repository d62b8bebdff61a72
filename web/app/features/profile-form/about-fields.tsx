import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import type { ErrorsOf, ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { cmOfFeet, feetOfCm, fromFeet, toFeet, type Unit } from "../../lib/dates-and-units/units.ts";
import { useConverted } from "../../lib/dates-and-units/use-converted.ts";
import {
  Field,
  NumberInput,
  NumberWithUnits,
  TextArea,
  TextField,
  UnitSelect,
  type Choices,
} from "../../ui/forms/field.tsx";
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
  return (
    <>
      <Measure
        label={t("howLongMarried")}
        name="how_long_married"
        value={user?.how_long_married}
        unit={user?.how_long_married_unit ?? "year"}
        choices={choices.married}
        {...errorsOf("how_long_married")}
      />
      <Height user={user} errorsOf={errorsOf} />
      <Measure
        label={t("weight")}
        name="weight"
        value={user?.weight}
        unit={user?.weight_unit ?? "kg"}
        choices={choices.weight}
        {...errorsOf("weight")}
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

interface MeasureProps extends ShownErrors {
  label: string;
  name: string;
  value: number | null | undefined;
  unit: Unit;
  choices: Choices;
}

/** A number whose unit converts it. */
function Measure({ name, value, unit, choices, ...field }: MeasureProps) {
  const t = useTranslations("profileForm");
  const number = useConverted(value, unit);
  return (
    <NumberWithUnits
      {...field}
      optional
      name={name}
      value={number.text}
      onChange={(event) => number.type(event.currentTarget.value)}
      units={[
        <UnitSelect
          key="unit"
          label={t("unit")}
          name={`${name}_unit`}
          choices={choices}
          value={number.unit}
          onChange={(event) => number.choose(event.currentTarget.value as Unit)}
        />,
      ]}
    />
  );
}

/** A height in centimetres, or in feet and inches, which are sent as one number. */
function Height({ user, errorsOf }: ProfileFieldsProps) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const { unit, choose, cm, feet, inches, typeCm, typeFeet } = useHeight(user);
  const select = (
    <UnitSelect
      label={t("unit")}
      name="tall_unit"
      choices={choices.tall}
      value={unit}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
  return (
    <Field label={t("height")} optional {...errorsOf("tall")}>
      {(control) =>
        unit === "cm" ? (
          <div className={fieldStyles.joined}>
            <NumberInput
              {...control}
              name="tall"
              value={cm}
              onChange={(event) => typeCm(event.currentTarget.value)}
            />
            {select}
          </div>
        ) : (
          <div className={classNames(fieldStyles.joined, fieldStyles.joinedThree)}>
            <NumberInput
              {...control}
              inputMode="numeric"
              aria-label={t("feet")}
              data-field="tall"
              placeholder={t("feet")}
              value={feet}
              onChange={(event) => typeFeet(event.currentTarget.value, inches)}
            />
            <NumberInput
              inputMode="numeric"
              aria-label={t("inches")}
              data-field="tall"
              placeholder={t("inches")}
              value={inches}
              onChange={(event) => typeFeet(feet, event.currentTarget.value)}
            />
            {select}
            <input type="hidden" name="tall" value={fromFeet(feet, inches)} />
          </div>
        )
      }
    </Field>
  );
}

/** The typed height, and the same in the other unit once that is chosen. */
function useHeight(user: Partial<User> | undefined) {
  const stored = user?.tall ?? null;
  const storedUnit: string = user?.tall_unit ?? "cm";
  const inFeet = stored !== null && storedUnit !== "cm" ? toFeet(stored) : null;
  const [unit, setUnit] = useState(storedUnit);
  const [typedUnit, setTypedUnit] = useState(storedUnit);
  const [cm, setCm] = useState(stored !== null && storedUnit === "cm" ? String(stored) : "");
  const [[feet, inches], setFeet] = useState(
    inFeet ? [String(inFeet.feet), String(inFeet.inches)] : ["", ""],
  );
  return {
    unit,
    cm,
    feet,
    inches,
    typeCm(text: string) {
      setTypedUnit("cm");
      setCm(text);
    },
    typeFeet(...texts: [feet: string, inches: string]) {
      setTypedUnit("feet inches");
      setFeet(texts);
    },
    choose(to: string) {
      setUnit(to);
      if (to === typedUnit) return;
      if (to === "cm") setCm(cmOfFeet(feet, inches));
      else setFeet(feetOfCm(cm));
    },
  };
}
