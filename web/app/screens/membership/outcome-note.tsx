import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { Order } from "@alcove/contract/membership";
import { device } from "../../device/browser.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { approvalUrlOf } from "./checkout.ts";
import type { Outcome } from "./outcome.ts";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";

type Shown = Exclude<Outcome, { kind: "paid" | "given_back" }>;

interface OutcomeNoteProps {
  outcome: Shown;
  order: Order | null;
  isChecking: boolean;
  onCheck: () => void;
}

export function OutcomeNote({ outcome, order, isChecking, onCheck }: OutcomeNoteProps) {
  const t = useTranslations("membership");
  const ts = useTranslations("settings");
  const base = useLanguagePath();
  const { title, text } = useOutcomeText(outcome);
  const approval = order && approvalUrlOf(order.id);
  const { kind } = outcome;
  return (
    <section
      className={classNames(cardStyles.card, "stack")}
      role={kind === "pending" || kind === "cancelled" ? "status" : "alert"}
    >
      <h2>{title}</h2>
      <p>{text}</p>
      {(kind === "declined" || kind === "unapproved") && approval && (
        <Button block onClick={() => device.openPage(approval)}>
          {kind === "declined" ? t("otherWay") : t("continue")}
        </Button>
      )}
      {(kind === "unknown" || kind === "unapproved" || kind === "pending") && (
        <Button kind="quiet" block busy={isChecking} onClick={onCheck}>
          {t("checkAgain")}
        </Button>
      )}
      {(kind === "unknown" || kind === "pending") && (
        <Link className={buttonClass({ kind: "ghost", block: true })} to={`${base}/purchase-history`}>
          <Icon name="receipt" small />
          {ts("purchaseHistory")}
        </Link>
      )}
    </section>
  );
}

const TEXT_KEYS = {
  declined: ["declined", "declinedText"],
  unapproved: ["unapproved", "unapprovedText"],
  cancelled: ["cancelled", "nothingPaid"],
  unknown: ["unknown", "unknownText"],
} as const;

function useOutcomeText(outcome: Shown): { title: string; text: string } {
  const t = useTranslations("membership");
  if (outcome.kind === "pending")
    return { title: t("transaction", { status: outcome.status }), text: t("pendingText") };
  if (outcome.kind === "refused") return { title: t("notProcessed"), text: outcome.message };
  if (outcome.kind === "failed") {
    const { status, debugId } = outcome;
    const title = status === null ? t("notProcessed") : t("transaction", { status });
    const reference = debugId === null ? "" : t("reference", { id: debugId });
    return { title, text: [t("nothingPaid"), reference].filter(Boolean).join(" ") };
  }
  const [title, text] = TEXT_KEYS[outcome.kind];
  return { title: t(title), text: t(text) };
}
