import {
  useEffect,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";
import type { Verdict } from "@alcove/contract/discovery";
import type { CardMotion, SwipeEnd } from "./decision.ts";
import { useSwipe } from "./use-swipe.ts";
import styles from "./candidate.module.css";

interface CandidateProps {
  label: string;
  /** Read out instead of "article". */
  kind?: string;
  motion: CardMotion | null;
  /** Null while no swipe counts. */
  onSwipe: ((verdict: Verdict, end: SwipeEnd) => void) | null;
  /** Called when a leaving card is gone. */
  onGone?: () => void;
  /** Renders the picture, whose element the swipe moves. */
  picture: (ref: Ref<HTMLElement>) => ReactNode;
  children: ReactNode;
}

const isLeaving = (motion: CardMotion | null) => motion?.kind === "like" || motion?.kind === "pass";

/** The card of a person. Its times and curves are in the style sheet. */
export function Candidate({ label, kind, motion, onSwipe, onGone, picture, children }: CandidateProps) {
  const card = useRef<HTMLElement>(null);
  const portrait = useRef<HTMLElement>(null);
  const leaves = isLeaving(motion);
  useSwipe({ card, picture: portrait }, leaves ? null : onSwipe);
  useGone(card, leaves, onGone);
  return (
    <article
      ref={card}
      className={styles.candidate}
      aria-roledescription={kind}
      aria-label={label}
      data-motion={motion?.kind}
      data-swiped={motion && "from" in motion && motion.from ? "" : undefined}
      style={motion ? styleOf(motion) : undefined}
      aria-hidden={leaves || undefined}
      inert={leaves}
    >
      {picture(portrait)}
      <div className={styles.body}>{children}</div>
    </article>
  );
}

function styleOf(motion: CardMotion): CSSProperties {
  const properties: Record<string, string> = {};
  if ("lift" in motion) properties["--lift"] = `${-motion.lift}px`;
  if ("from" in motion && motion.from) {
    const { offset, turnDegrees, durationMs } = motion.from;
    properties["--from-x"] = `${offset}px`;
    properties["--from-turn"] = `${turnDegrees}deg`;
    properties["--leave"] = `${durationMs}ms`;
  }
  if ("delayMs" in motion && motion.delayMs !== null) properties["--next-delay"] = `${motion.delayMs}ms`;
  return properties;
}

/** Waits for the animations that the style sheet gives a leaving card; without any it is gone at once. */
function useGone(card: RefObject<HTMLElement | null>, leaves: boolean, onGone?: () => void): void {
  const latest = useRef(onGone);
  useEffect(() => {
    latest.current = onGone;
  });
  useLayoutEffect(() => {
    if (!leaves) return undefined;
    let isMounted = true;
    const animations = card.current?.getAnimations?.({ subtree: true }) ?? [];
    const wait = async () => {
      await Promise.allSettled(animations.map(({ finished }) => finished));
      if (isMounted) latest.current?.();
    };
    void wait();
    return () => {
      isMounted = false;
    };
  }, [card, leaves]);
}
