import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Verdict } from "@alcove/contract/discovery";
import type { Party } from "@alcove/contract/users";
import { carryDecision, leave, type CardMotion, type SwipeEnd } from "../../features/verdict/decision.ts";
import { sendVerdict } from "../../features/verdict/send-verdict.ts";
import { useUpgradeOffer } from "../../features/verdict/use-upgrade-offer.ts";
import { newMatches } from "../../layout/match-notice/new-matches.ts";
import { api } from "../../lib/api/api.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";

/** Moves the card like the home screen, then goes there, where the decision is confirmed. */
export function useDecision(person: Party) {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [motion, setMotion] = useState<CardMotion | null>(null);
  const [isSending, setSending] = useState(false);
  const [isGone, setGone] = useState(false);
  const { upgradeMessage, cardArrivesAt, closeUpgrade, showFailure } = useUpgradeOffer();
  const resolveGone = useRef<() => void>(undefined);

  async function decide(verdict: Verdict, swipe: SwipeEnd | null) {
    setSending(true);
    const gone = new Promise<void>((resolve) => {
      resolveGone.current = resolve;
    });
    setMotion(leave(verdict, swipe));
    const sent = sendVerdict(api, person.user_id, verdict);
    // A failed request, too, waits for the card.
    await Promise.allSettled([sent, gone]);
    try {
      const isMatch = await sent;
      carryDecision({ kind: isMatch ? "matched" : verdict, name: person.username });
      await navigate(base, { replace: true });
      if (isMatch) newMatches.notify(person);
    } catch (error) {
      setGone(false);
      setMotion({ kind: `back-${verdict}` });
      setSending(false);
      showFailure(error);
    }
  }

  return {
    motion,
    /** Null while a decision is sent. */
    decide: isSending ? null : (verdict: Verdict, swipe?: SwipeEnd) => void decide(verdict, swipe ?? null),
    isGone,
    handleGone: () => {
      setGone(true);
      resolveGone.current?.();
    },
    offer: { title: upgradeMessage, nextCardAt: cardArrivesAt, onClose: closeUpgrade },
  };
}
