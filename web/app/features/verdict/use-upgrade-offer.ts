import { useState } from "react";
import { ApiError } from "../../lib/api/errors.ts";
import { showError } from "../../lib/page/show-error.ts";

/** The offer to upgrade, which opens when no like is left. */
export function useUpgradeOffer() {
  const [upgradeMessage, showUpgrade] = useState<string | null>(null);
  return {
    /** The title of the offer; null while it is closed. */
    upgradeMessage,
    showUpgrade,
    closeUpgrade: () => showUpgrade(null),
    /** Shows why a decision failed: with the offer, or with a banner. */
    showFailure(error: unknown): void {
      if (error instanceof ApiError && error.status === 402) showUpgrade(error.message);
      else showError(error);
    },
  };
}
