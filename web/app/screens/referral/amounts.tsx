import { useTranslations } from "use-intl";
import type { Balance } from "@alcove/contract/referral";
import { useDollarText } from "../../lib/dates-and-units/money.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import styles from "./referral.module.css";

export function Amounts({ balance }: { balance: Balance }) {
  const t = useTranslations("referral");
  const dollars = useDollarText();
  const { available, received, pending, pending_until } = balance;
  return (
    <div className="stack">
      <div className={styles.amounts}>
        <div>
          <span className="hint">{t("available")}</span>
          <strong>{dollars(available)}</strong>
        </div>
        <div>
          <span className="hint">{t("received")}</span>
          <strong>{dollars(received)}</strong>
        </div>
        {pending_until && (
          <div>
            <span className="hint">{t("held")}</span>
            <strong>{dollars(pending)}</strong>
            <span className="hint">{t("heldUntil", { day: dayText(new Date(pending_until)) })}</span>
          </div>
        )}
      </div>
      {available < 0 && <p className="hint">{t("negative")}</p>}
    </div>
  );
}
