import { useState } from "react";
import { useTranslations } from "use-intl";
import {
  Check,
  NumberWithUnits,
  SelectField,
  TextArea,
  TextField,
  UnitSelect,
} from "../app/ui/forms/field.tsx";
import { PasswordField } from "../app/ui/forms/password-field.tsx";
import { RangeSlider } from "../app/ui/forms/range-slider.tsx";
import { Segmented } from "../app/ui/forms/segmented.tsx";
import { Stepper } from "../app/ui/forms/stepper.tsx";
import { Switch } from "../app/ui/forms/switch.tsx";
import styles from "./gallery.module.css";

const CURRENCIES = [
  ["USD", "USD"],
  ["TWD", "TWD"],
  ["JPY", "JPY"],
] as const;

/** Each kind of field: plain, with a note, with the page's own error below and the server's above. */
export function Fields() {
  const t = useTranslations();
  return (
    <div className={styles.states}>
      <TextField label={t("profileForm.username")} hint={t("profileForm.usernameHint")} name="username" />
      <TextField label={t("profileForm.hobby")} optional name="hobby" />
      <TextField label={t("codes.email")} ownError="email_invalid" defaultValue="adrian@" name="email" />
      <TextField
        label={t("signUp.userId")}
        error="user_id_taken"
        hint={t("signUp.userIdHint")}
        defaultValue="adrian83"
        name="user_id"
      />
      <PasswordField label={t("login.password")} hint={t("signUp.passwordHint")} name="password" />
      <TextArea
        label={t("profileForm.description")}
        hint={t("profileForm.markdown")}
        name="description"
        rows={4}
      />
      <SelectField label={t("membership.currency")} choices={CURRENCIES} name="currency" />
      <NumberWithUnits
        label={t("profileForm.height")}
        optional
        name="tall"
        units={[
          <UnitSelect
            key="unit"
            label={t("profileForm.unit")}
            choices={[
              ["cm", t("profileForm.cm")],
              ["feet inches", t("profileForm.feetInches")],
            ]}
          />,
        ]}
      />
      <Choices />
    </div>
  );
}

function Choices() {
  const t = useTranslations();
  const [quantity, setQuantity] = useState(1);
  return (
    <>
      <Segmented
        legend={t("profileForm.lookingFor")}
        name="sought"
        choices={[
          ["female", t("profileForm.women")],
          ["male", t("profileForm.men")],
          ["all", t("profileForm.everyone")],
        ]}
      />
      <Segmented
        legend={t("profileForm.sex")}
        name="sex"
        ownError={{ text: t("ui.chooseOne") }}
        choices={[
          ["female", t("profileForm.female")],
          ["male", t("profileForm.male")],
        ]}
      />
      <RangeSlider
        label={t("profileForm.age")}
        names={["low", "high"]}
        thumbs={[t("profileForm.youngest"), t("profileForm.oldest")]}
        limits={{ min: 18, max: 140 }}
        values={[38, 55]}
        format={(low, high) => t("profileForm.ages", { low: String(low), high: String(high) })}
      />
      <Stepper
        label={t("membership.year")}
        lessLabel={t("membership.lessMonth")}
        moreLabel={t("membership.moreMonth")}
        value={quantity}
        max={10}
        read={(typed) => Number(typed) || 0}
        onChange={setQuantity}
      />
      <Check name="terms" defaultChecked>
        {t("profileForm.process")}
      </Check>
      <Switch name="hide" hint={t("privacy.hideWhenLeftHint")} defaultChecked>
        {t("privacy.hideWhenLeft")}
      </Switch>
    </>
  );
}
