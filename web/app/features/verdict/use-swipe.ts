import { useEffect, useRef, type RefObject } from "react";
import type { Verdict } from "@alcove/contract/discovery";
import type { SwipeEnd } from "./decision.ts";

/** The system's back gesture starts this close to the edge. */
const EDGE_PX = 24;
const COMMIT_PART = 0.32;
/** Pixels per millisecond. */
const COMMIT_SPEED = 0.5;
const TURN_DEGREES = 6;
const LEAVE_MS = { min: 160, max: 280 } as const;
/** A shorter movement is a tap. */
const SLOP_PX = 8;

type OnVerdict = (verdict: Verdict, end: SwipeEnd) => void;

interface SwipeParts {
  /** Without a box of its own where only the picture moves. */
  card: RefObject<HTMLElement | null>;
  picture: RefObject<HTMLElement | null>;
}

/**
 * Moves a card with a finger, or with a mouse on its picture: right likes, left passes, less settles back. With a mouse the
 * text can be selected. The wash of colour grows with the offset; with reduced motion it alone shows the swipe.
 */
export function useSwipe({ card, picture }: SwipeParts, onVerdict: OnVerdict | null): void {
  const latest = useRef(onVerdict);
  useEffect(() => {
    latest.current = onVerdict;
  });
  useEffect(() => {
    if (!card.current || !picture.current) return undefined;
    return followSwipes(card.current, picture.current, () => latest.current);
  }, [card, picture]);
}

const turnOf = (part: number) => Math.max(-1, Math.min(1, part)) * TURN_DEGREES;

/** Moves the card, or the picture where the card has no box of its own. */
function movable(card: HTMLElement, picture: HTMLElement) {
  const hasFrame = () => card.offsetWidth > 0;
  const mover = () => (hasFrame() ? card : picture);
  return {
    hasFrame,
    width: () => mover().offsetWidth,
    follow(moved: number): void {
      const part = moved / mover().offsetWidth;
      card.dataset["side"] = moved > 0 ? "like" : "pass";
      card.style.setProperty("--wash", String(Math.min(1, Math.abs(part) / COMMIT_PART)));
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      mover().style.transition = "none";
      mover().style.transform = `translateX(${moved}px) rotate(${turnOf(part)}deg)`;
    },
    settle(): void {
      delete card.dataset["side"];
      card.style.removeProperty("--wash");
      for (const { style } of [card, picture]) {
        style.transition = "";
        style.transform = "";
      }
    },
  };
}

/** Returns a function that ends it. */
function followSwipes(
  card: HTMLElement,
  picture: HTMLElement,
  onVerdict: () => OnVerdict | null,
): () => void {
  const { hasFrame, width, follow, settle } = movable(card, picture);
  let start: { x: number; at: number; id: number } | null = null;
  let moved = 0;

  const handleDown = (event: PointerEvent) => {
    const nearEdge = event.clientX < EDGE_PX || event.clientX > innerWidth - EDGE_PX;
    const isOnText = !picture.contains(event.target as Node);
    if (onVerdict() === null || (isOnText && (event.pointerType === "mouse" || !hasFrame()))) return;
    if (!event.isPrimary || event.button !== 0 || nearEdge) return;
    start = { x: event.clientX, at: event.timeStamp, id: event.pointerId };
    moved = 0;
  };
  const handleMove = (event: PointerEvent) => {
    if (event.pointerId !== start?.id) return;
    moved = event.clientX - start.x;
    if (Math.abs(moved) < SLOP_PX) return;
    if (!card.hasPointerCapture(event.pointerId)) card.setPointerCapture(event.pointerId);
    follow(moved);
  };
  const handleUp = (event: PointerEvent) => {
    if (event.pointerId !== start?.id) return;
    const distance = Math.abs(moved);
    const speed = distance / Math.max(1, event.timeStamp - start.at);
    start = null;
    const isFar = distance > width() * COMMIT_PART;
    const isFast = distance > SLOP_PX * 4 && speed > COMMIT_SPEED;
    const decide = onVerdict();
    if (decide === null || !(isFar || isFast)) return settle();
    const rest = Math.max(0, width() - distance) / Math.max(speed, 0.001);
    decide(moved > 0 ? "like" : "pass", {
      offset: moved,
      turnDegrees: turnOf(moved / width()),
      durationMs: Math.max(LEAVE_MS.min, Math.min(LEAVE_MS.max, rest)),
    });
  };
  const handleCancel = () => {
    start = null;
    settle();
  };
  // The end of a swipe must not click the picture, and the picture must not be dragged.
  const handleClick = (event: MouseEvent) => {
    if (Math.abs(moved) >= SLOP_PX) {
      event.preventDefault();
      event.stopPropagation();
    }
    moved = 0;
  };

  const listeners = [
    ["pointerdown", handleDown],
    ["pointermove", handleMove],
    ["pointerup", handleUp],
    ["pointercancel", handleCancel],
    ["click", handleClick],
    ["dragstart", (event: DragEvent) => event.preventDefault()],
  ] as [string, EventListener][];
  for (const [type, listener] of listeners) card.addEventListener(type, listener, { capture: true });
  return () => {
    for (const [type, listener] of listeners) card.removeEventListener(type, listener, { capture: true });
  };
}
