import { useTranslations } from "use-intl";
import type { RegionRules } from "@alcove/contract/regions";
import { Check } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";

interface BuyerNotesProps {
  rules: RegionRules;
  startsAtOnce: boolean;
  onStartChange: (startsAtOnce: boolean) => void;
}

/** The specified warnings, and the right that the buyer has. */
export function BuyerNotes({ rules, startsAtOnce, onStartChange }: BuyerNotesProps) {
  const t = useTranslations("membership");
  const { withdrawal, notices } = rules;
  const asksForStart = withdrawal?.share === "unused";
  const rightKey = asksForStart && startsAtOnce ? "rightUnused" : "rightAll";
  return (
    <>
      <div className={classNames(noteStyles.note, noteStyles.lamp)}>
        <Icon name="alert" />
        <div>
          <p>{t("noCancel")}</p>
          <p>{t("noRefund")}</p>
          {withdrawal && <p>{t(rightKey, { days: String(withdrawal.days) })}</p>}
        </div>
      </div>
      {notices.map((notice) => (
        <p key={notice} className={noteStyles.note}>
          <Icon name="info" />
          <span>{notice}</span>
        </p>
      ))}
      {asksForStart && (
        <Check
          name="start_at_once"
          value="yes"
          checked={startsAtOnce}
          onChange={({ currentTarget: { checked } }) => onStartChange(checked)}
        >
          {t("startAtOnce")}
        </Check>
      )}
    </>
  );
}

/** Why nothing can be bought. */
export function NoSaleNote({ reason }: { reason: "country_closed" | "plan_too_long" }) {
  const t = useTranslations("errors");
  return (
    <div className={classNames(noteStyles.note, noteStyles.danger)} role="alert">
      <Icon name="alert" />
      <p>{t(reason)}</p>
    </div>
  );
}
