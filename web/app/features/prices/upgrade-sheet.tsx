import { useState } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Ticks } from "../../ui/ticks.tsx";
import { useNextCardText } from "./next-card.ts";
import { PriceTable } from "./price-table.tsx";
import dialogStyles from "../../ui/dialog.module.css";
import styles from "./prices.module.css";

interface UpgradeSheetProps {
  onClose: () => void;
  /** The server's message; null closes the sheet. */
  title: string | null;
  /** Null if unknown. */
  nextCardAt: Date | null;
}

/** For free members who have used today's cards. */
export function UpgradeSheet({ onClose, title, nextCardAt }: UpgradeSheetProps) {
  const t = useTranslations("upgrade");
  const base = useLanguagePath();
  const nextCardText = useNextCardText();
  // A closing sheet keeps its title.
  const [lastTitle, setLastTitle] = useState(title);
  if (title !== null && title !== lastTitle) setLastTitle(title);
  const isOne = settings.freeCardsPerDay === "1";
  const next = nextCardAt ? nextCardText(nextCardAt) : t("tomorrow");
  const used = t(isOne ? "cardUsed" : "cardsUsed", { next });
  if (!hasPurchases())
    return (
      <Sheet isOpen={title !== null} onClose={onClose} title={used} closeButton>
        {null}
      </Sheet>
    );
  const benefits = [
    t("likes", { count: Number(settings.paidLikesPerDay) }),
    t("freePasses"),
    t("statement", { text: settings.statementText }),
  ];
  return (
    <Sheet
      isOpen={title !== null}
      onClose={onClose}
      title={lastTitle ?? ""}
      closeButton
      picture={
        <span className={styles.mark}>
          <Logo />
        </span>
      }
    >
      <p className="muted">{used}</p>
      <Ticks lines={benefits} />
      <PriceTable />
      <div className={dialogStyles.actions}>
        <Link className={buttonClass({})} to={`${base}/upgrade-account`}>
          {t("seePlans")}
        </Link>
        <Button kind="ghost" onClick={onClose}>
          {t("notNow")}
        </Button>
      </div>
    </Sheet>
  );
}
