import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { blockUser } from "@alcove/contract/safety";
import { newMatches } from "../../layout/match-notice/new-matches.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { ApiError } from "../../lib/errors.ts";
import { showError } from "../../lib/show-error.ts";
import { Candidates, type Verdict } from "./candidates.ts";

const PRELOADED_CARDS = 3;

/** Loads candidates once the member has a location. */
export function useDeck(hasLocation: boolean) {
  const t = useTranslations("home");
  const [candidates] = useState(() => new Candidates(api));
  const state = useSyncExternalStore(candidates.subscribe, candidates.getState, candidates.getState);
  /** Read out by screen readers. */
  const [announcement, setAnnouncement] = useState("");
  const [undoneId, setUndoneId] = useState<string | null>(null);
  const [upgradeMessage, setUpgradeMessage] = useState<string | null>(null);
  usePreloadedIcons(state.options.slice(1, 1 + PRELOADED_CARDS).map(({ icon }) => icon));
  useEffect(() => {
    if (hasLocation) candidates.load().catch(showError);
  }, [candidates, hasLocation]);

  async function decide(verdict: Verdict) {
    try {
      const result = await candidates.decide(verdict);
      if (!result) return;
      setUndoneId(null);
      const [next] = candidates.getState().options;
      const decision = t(verdict === "like" ? "liked" : "passed", { name: result.user.username });
      setAnnouncement(next ? `${decision} ${t("nextIs", { name: next.username })}` : decision);
      if (result.matched) newMatches.notify(result.user);
      await candidates.refill();
    } catch (error) {
      if (error instanceof ApiError && error.status === 402) setUpgradeMessage(error.message);
      else showError(error);
    }
  }

  async function undo() {
    try {
      const user = await candidates.undo();
      setUndoneId(user?.user_id ?? null);
      if (user) setAnnouncement(t("undone", { name: user.username }));
      else banner.alert("home.undoTooLate");
    } catch (error) {
      showError(error);
    }
  }

  async function block(userId: string) {
    await api(blockUser, { userId });
    candidates.remove(userId);
    await candidates.refill();
  }

  return {
    ...state,
    announcement,
    undoneId,
    upgradeMessage,
    closeUpgrade: () => setUpgradeMessage(null),
    decide: (verdict: Verdict) => void decide(verdict),
    undo: () => void undo(),
    reload: () => void candidates.load().catch(showError),
    block,
  };
}

function usePreloadedIcons(icons: string[]): void {
  const key = icons.join(" ");
  useEffect(() => {
    for (const icon of key.split(" ").filter(Boolean)) new Image().src = icon;
  }, [key]);
}
