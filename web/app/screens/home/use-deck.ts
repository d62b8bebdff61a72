import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import type { Verdict } from "@alcove/contract/discovery";
import type { PublicUser } from "@alcove/contract/users";
import { blockUser } from "@alcove/contract/safety";
import {
  leave,
  takeCarriedDecision,
  type CardMotion,
  type Decision,
  type SwipeEnd,
} from "../../features/verdict/decision.ts";
import { DECISION_TEXT } from "../../features/verdict/status-line.tsx";
import { newMatches } from "../../layout/match-notice/new-matches.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { showError } from "../../lib/page/show-error.ts";
import { CARD_SIZES, srcSetOf } from "../../ui/picture.tsx";
import { Candidates } from "./candidates.ts";

const PRELOADED_CARDS = 3;
/** The next card starts to rise this long before a swiped one is gone. */
const OVERLAP_MS = 120;

/** A card that leaves, above the one that comes. */
interface LeavingCard {
  readonly person: PublicUser;
  readonly motion: CardMotion;
  readonly onGone: () => void;
}

/** Loads candidates once the member has a location, and moves the cards. */
export function useDeck(hasLocation: boolean) {
  const t = useTranslations("home");
  const [first] = useState(takeCarriedDecision);
  const [candidates] = useState(() => new Candidates(api, first?.kind === "pass"));
  const state = useSyncExternalStore(candidates.subscribe, candidates.getState, candidates.getState);
  const [leaving, setLeaving] = useState<LeavingCard | null>(null);
  /** How the first card arrived. */
  const [arrival, setArrival] = useState<CardMotion | null>(null);
  const [decision, setDecision] = useState<Decision | null>(first);
  /** Read out by screen readers. */
  const [announcement, setAnnouncement] = useState("");
  const [undoneId, setUndoneId] = useState<string | null>(null);
  const [upgradeMessage, setUpgradeMessage] = useState<string | null>(null);
  usePreloadedIcons(state.options.slice(1, 1 + PRELOADED_CARDS).map(({ icon }) => icon));
  useEffect(() => {
    if (hasLocation) candidates.load().catch(showError);
  }, [candidates, hasLocation]);

  function announce({ kind, name }: Decision, next?: PublicUser) {
    const text = t.markup(DECISION_TEXT[kind], { name, b: (words) => words });
    setAnnouncement(next ? `${text} ${t("nextIs", { name: next.username })}` : text);
  }
  const announceFirst = useRef(() => first && announce(first));
  useEffect(() => void announceFirst.current(), []);

  /** Resolves when the card is gone. */
  function sendAway(person: PublicUser, kind: Verdict, from: SwipeEnd | null): Promise<void> {
    const nextDelayMs = from ? Math.max(0, from.durationMs - OVERLAP_MS) : null;
    setArrival({ kind: "next", delayMs: nextDelayMs });
    return new Promise((resolve) => {
      const onGone = () => {
        setLeaving(null);
        resolve();
      };
      setLeaving({ person, motion: leave(kind, from), onGone });
    });
  }

  async function decide(verdict: Verdict, swipe: SwipeEnd | null) {
    const [person] = candidates.getState().options;
    if (!person || leaving) return;
    setUndoneId(null);
    setDecision(null);
    const isGone = sendAway(person, verdict, swipe);
    const confirm = async () => {
      await isGone;
      const made = { kind: verdict, name: person.username };
      setDecision(made);
      announce(made, candidates.getState().options[0]);
    };
    void confirm();
    try {
      const result = await candidates.decide(verdict, isGone);
      if (result?.matched) newMatches.notify(result.user);
      await candidates.refill();
    } catch (error) {
      setDecision(null);
      setAnnouncement("");
      setArrival({ kind: `back-${verdict}` });
      if (error instanceof ApiError && error.status === 402) setUpgradeMessage(error.message);
      else showError(error);
    }
  }

  async function undo() {
    try {
      const person = await candidates.undo();
      if (!person) {
        setDecision(null);
        banner.alert("home.undoTooLate");
        return;
      }
      const made = { kind: "undone", name: person.username } as const;
      setArrival({ kind: "back-pass" });
      setUndoneId(person.user_id);
      setDecision(made);
      announce(made);
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
    leaving,
    arrival,
    decision,
    clearDecision: () => setDecision(null),
    announcement,
    undoneId,
    upgradeMessage,
    showUpgrade: setUpgradeMessage,
    closeUpgrade: () => setUpgradeMessage(null),
    decide: (verdict: Verdict, swipe: SwipeEnd | null = null) => void decide(verdict, swipe),
    undo: () => void undo(),
    reload: () => void candidates.load().catch(showError),
    block,
  };
}

function usePreloadedIcons(icons: string[]): void {
  const key = icons.join(" ");
  useEffect(() => {
    for (const icon of key.split(" ").filter(Boolean)) {
      const image = new Image();
      image.sizes = CARD_SIZES;
      image.srcset = srcSetOf(icon) ?? icon;
    }
  }, [key]);
}
