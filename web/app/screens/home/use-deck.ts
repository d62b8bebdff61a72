import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { neverAgain, type Verdict } from "@alcove/contract/discovery";
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
import { useUpgradeOffer } from "../../features/verdict/use-upgrade-offer.ts";
import { newMatches } from "../../layout/match-notice/new-matches.ts";
import { api } from "../../lib/api/api.ts";
import { isolated } from "../../lib/texts/isolated.ts";
import { banner } from "../../lib/page/banner.ts";
import { showError } from "../../lib/page/show-error.ts";
import { onRealtimeEvent } from "../../realtime/realtime.ts";
import { CARD_SIZES, srcSetOf } from "../../ui/picture.tsx";
import { Candidates } from "./candidates.ts";

const PRELOADED_CARDS = 3;
/** The next card starts to rise this long before a swiped one is gone. */
const OVERLAP_MS = 120;
const REFRESH_CHECK_MS = 60_000;

/** A card that leaves, above the one that comes. */
interface LeavingCard {
  readonly person: PublicUser;
  readonly motion: CardMotion;
  readonly onGone: () => void;
}

/** Loads candidates once the member has a location, and moves the cards. */
export function useDeck(hasLocation: boolean) {
  const [first] = useState(takeCarriedDecision);
  const [candidates] = useState(() => new Candidates(api, undoableKind(first)));
  const state = useSyncExternalStore(candidates.subscribe, candidates.getState, candidates.getState);
  const { leaving, arrival, setArrival, sendAway } = useMovingCards();
  const shown = useShownDecision(first);
  /** The card whose name takes the focus. */
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const [done, setDone] = useState({ hasDecided: false, hasLiked: first?.kind === "like" });
  const { showFailure, ...offer } = useUpgradeOffer();
  usePreloadedIcons(state.options.slice(0, 1 + PRELOADED_CARDS).map(({ icon }) => icon));
  useEffect(() => {
    if (hasLocation) candidates.load().catch(showError);
  }, [candidates, hasLocation]);
  useRefreshedCard(candidates);

  async function undo(revert: () => Promise<PublicUser | null>) {
    const kind = state.undoable ?? "pass";
    const person = await revert().catch(showError);
    if (person) {
      setArrival({ kind: `back-${kind}` });
      setFocusedId(person.user_id);
      shown.show({ kind: "undone", name: person.username });
    } else if (person === null) {
      shown.hide();
      banner.alert("home.undoTooLate");
    }
  }

  async function decide(verdict: Verdict, swipe: SwipeEnd | null) {
    const [person, next] = candidates.getState().options;
    if (!person || leaving) return;
    setFocusedId(swipe === null && wouldLoseFocus() && next ? next.user_id : null);
    setDone((before) => ({ ...before, hasDecided: true }));
    shown.hide();
    const isGone = sendAway(person, verdict, swipe);
    const confirm = async () => {
      await isGone;
      shown.show({ kind: verdict, name: person.username }, candidates.getState().options[0]);
    };
    const isConfirmed = confirm();
    try {
      const result = await candidates.decide(verdict, isGone);
      if (verdict === "like") setDone({ hasDecided: true, hasLiked: true });
      if (result?.matched) {
        await isConfirmed;
        shown.show({ kind: "matched", name: person.username }, candidates.getState().options[0]);
        newMatches.notify(result.user);
      }
      await candidates.refill();
    } catch (error) {
      shown.retract();
      setArrival({ kind: `back-${verdict}` });
      showFailure(error);
    }
  }

  /** Leaves the card for good. */
  async function leaveForGood(call: typeof blockUser | typeof neverAgain, userId: string) {
    await api(call, { userId });
    candidates.remove(userId);
    await candidates.refill();
  }

  return {
    ...state,
    ...offer,
    ...done,
    // A like can be undone as long as it is confirmed, a pass as long as its card is the last one.
    canUndo: state.undoable === "pass" || (state.undoable === "like" && shown.decision?.kind === "like"),
    leaving,
    arrival,
    decision: shown.decision,
    clearDecision: shown.hide,
    announcement: shown.announcement,
    focusedId,
    decide: (verdict: Verdict, swipe: SwipeEnd | null = null) => void decide(verdict, swipe),
    undo: () => void undo(() => candidates.undo()),
    undoYesterday: () => void undo(() => candidates.undoYesterday()),
    reload: () => void candidates.load().catch(showError),
    block: (userId: string) => leaveForGood(blockUser, userId),
    neverAgain: (userId: string) => leaveForGood(neverAgain, userId),
  };
}

/** After a key: the focus is on the card that leaves, or nowhere. */
function wouldLoseFocus(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest("article") != null;
}

function undoableKind(decision: Decision | null): Verdict | null {
  return decision?.kind === "like" || decision?.kind === "pass" ? decision.kind : null;
}

function useMovingCards() {
  const [leaving, setLeaving] = useState<LeavingCard | null>(null);
  /** How the first card arrived. */
  const [arrival, setArrival] = useState<CardMotion | null>(null);

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
  return { leaving, arrival, setArrival, sendAway };
}

/** The last decision, shown and read out by screen readers. */
function useShownDecision(first: Decision | null) {
  const t = useTranslations("home");
  const [decision, setDecision] = useState<Decision | null>(first);
  const [announcement, setAnnouncement] = useState("");

  function announce({ kind, name }: Decision, next?: PublicUser) {
    const text = t.markup(DECISION_TEXT[kind], { name: isolated(name), b: (words) => words });
    setAnnouncement(next ? `${text} ${t("nextIs", { name: isolated(next.username) })}` : text);
  }
  const announceFirst = useRef(() => first && announce(first));
  useEffect(() => void announceFirst.current(), []);

  return {
    decision,
    announcement,
    show(made: Decision, next?: PublicUser): void {
      setDecision(made);
      announce(made, next);
    },
    hide: () => setDecision(null),
    /** For a decision that failed. */
    retract(): void {
      setDecision(null);
      setAnnouncement("");
    },
  };
}

/** A card that stays on screen is loaded again; without a connection it stays as it is. */
function useRefreshedCard(candidates: Candidates): void {
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") candidates.refresh().catch(() => undefined);
    };
    const timer = setInterval(refresh, REFRESH_CHECK_MS);
    // Another tab or device may have paused the member, or changed the filter.
    const unsubscribe = onRealtimeEvent(({ kind }) => {
      if (kind === "changed") candidates.reload().catch(() => undefined);
    });
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      unsubscribe();
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [candidates]);
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
