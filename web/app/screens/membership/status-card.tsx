import type { Ref } from "react";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { momentText } from "../../lib/dates.ts";

export function StatusCard({ user, heading }: { user: User; heading: Ref<HTMLHeadingElement> }) {
  const t = useTranslations("membership");
  const tp = useTranslations("pricing");
  const until = user.paid_account_expired_at;
  return (
    <div className="card row between">
      <div>
        <span className="hint">{t("currentStatus")}</span>
        <h2 ref={heading} tabIndex={-1}>
          {t(user.status)}
        </h2>
      </div>
      {user.status === "paid" && until ? (
        <span className="badge badge--lamp">{t("paidUntil", { at: momentText(new Date(until)) })}</span>
      ) : (
        <span className="badge">{tp("freeCards")}</span>
      )}
    </div>
  );
}
