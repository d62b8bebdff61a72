import { useState } from "react";
import { useTranslations } from "use-intl";
import type { ValidationErrors } from "@alcove/contract/fields";
import { DESCRIPTION_MAX, USERNAME_MAX } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import { errorOf } from "../../lib/forms/form.ts";
import { fromFeet, toFeet } from "../../lib/units.ts";
import {
  Field,
  NumberWithUnits,
  SelectField,
  TextArea,
  TextField,
  UnitSelect,
} from "../../ui/forms/field.tsx";
import { useProfileChoices } from "./choices.ts";

interface AboutFieldsProps {
  /** The stored profile; missing at sign-up. */
  user?: User | undefined;
  errors: ValidationErrors;
  /** Sex and date of birth cannot change after sign-up. */
  hasBirthFields?: boolean;
  /** As `YYYY-MM-DD`. */
  latestBirth?: string;
}

export function AboutFields({ user, errors, hasBirthFields = false, latestBirth }: AboutFieldsProps) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const unitLabel = t("unit");
  return (
    <section className="stack">
      <h2>{t("about")}</h2>
      <TextField
        label={t("username")}
        name="username"
        defaultValue={user?.username}
        placeholder={t("usernameHint")}
        maxLength={USERNAME_MAX * 2}
        autoComplete="off"
        error={errorOf(errors, "username")}
        required
      />
      {hasBirthFields && (
        <div className="pair">
          <SelectField
            label={t("sex")}
            name="sex"
            choices={choices.sexes}
            error={errorOf(errors, "sex")}
            required
          />
          <TextField
            label={t("dateOfBirth")}
            name="date_of_birth"
            type="date"
            max={latestBirth}
            error={errorOf(errors, "date_of_birth")}
            required
          />
        </div>
      )}
      <TextArea
        label={t("description")}
        name="description"
        rows={5}
        defaultValue={user?.description}
        maxLength={DESCRIPTION_MAX * 2}
        hint={t("markdown")}
        error={errorOf(errors, "description")}
        required
      />
      <NumberWithUnits
        label={t("howLongMarried")}
        optional
        name="how_long_married"
        min={0}
        defaultValue={user?.how_long_married ?? undefined}
        error={errorOf(errors, "how_long_married")}
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
      <Height user={user} errors={errors} />
      <NumberWithUnits
        label={t("weight")}
        optional
        name="weight"
        min={0}
        defaultValue={user?.weight ?? undefined}
        error={errorOf(errors, "weight")}
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
      <NumberWithUnits
        label={t("salary")}
        optional
        name="salary"
        min={0}
        defaultValue={user?.salary ?? undefined}
        error={errorOf(errors, "salary")}
        units={[
          <UnitSelect
            key="unit"
            label={t("currency")}
            name="salary_unit"
            choices={choices.salary}
            defaultValue={user?.salary_unit ?? "USD"}
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
      <TextField
        label={t("purpose")}
        optional
        name="purpose"
        defaultValue={user?.purpose ?? ""}
        autoComplete="off"
        error={errorOf(errors, "purpose")}
      />
      <TextField
        label={t("hobby")}
        optional
        name="hobby"
        defaultValue={user?.hobby ?? ""}
        autoComplete="off"
        error={errorOf(errors, "hobby")}
      />
    </section>
  );
}

/** A height in centimetres, or in feet and inches, which are sent as one number. */
function Height({ user, errors }: { user: User | undefined; errors: ValidationErrors }) {
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
    <Field label={t("height")} optional error={errorOf(errors, "tall")}>
      {(control) =>
        unit === "cm" ? (
          <div className="joined">
            <input
              {...control}
              className="input"
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
          <div className="joined joined--3">
            <input
              {...control}
              className="input"
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
              className="input"
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
