import { useState } from "react";
import { useNavigate } from "react-router";
import { getOwnUser } from "@alcove/contract/accounts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { showError } from "../../lib/page/show-error.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";

/** The offer to upgrade, which opens when no like is left. */
export function useUpgradeOffer() {
  const [upgradeMessage, showUpgrade] = useState<string | null>(null);
  const [cardArrivesAt, setCardArrivesAt] = useState<Date | null>(null);
  const navigate = useNavigate();
  const base = useLanguagePath();

  /** Without a connection, the offer keeps "tomorrow". */
  async function loadArrival() {
    const at = await api(getOwnUser, {}).then(
      ({ user }) => user.card_arrives_at,
      () => null,
    );
    setCardArrivesAt(at === null ? null : new Date(at));
  }

  return {
    /** The title of the offer; null while it is closed. */
    upgradeMessage,
    showUpgrade,
    /** Null if unknown. */
    cardArrivesAt,
    closeUpgrade: () => showUpgrade(null),
    /** Shows why a decision failed: with the offer, or with a banner, before the age check on its screen. */
    showFailure(error: unknown): void {
      if (error instanceof ApiError && error.status === 402) {
        showUpgrade(error.message);
        return void loadArrival();
      }
      showError(error);
      if (error instanceof ApiError && error.code === "age_check_required")
        void navigate(`${base}/setting/age-check`);
    },
  };
}
