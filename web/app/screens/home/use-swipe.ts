import { useEffect, useRef, type RefObject } from "react";
import type { Verdict } from "./candidates.ts";

/** The system's back gesture starts this close to the edge. */
const EDGE_PX = 24;
const COMMIT_PART = 0.32;
const COMMIT_SPEED = 0.5;
const TURN_DEGREES = 5;
/** A shorter movement is a tap. */
const SLOP_PX = 8;

/**
 * Moves a card with a finger, or with a mouse on its portrait: right likes, left passes, less settles back. With a
 * mouse the text can be selected. On a wide screen only the portrait moves.
 */
export function useSwipe(
  { card, portrait }: Record<"card" | "portrait", RefObject<HTMLElement | null>>,
  onVerdict: (verdict: Verdict) => void,
): void {
  const latest = useRef(onVerdict);
  useEffect(() => {
    latest.current = onVerdict;
  });
  useEffect(() => {
    const element = card.current;
    const picture = portrait.current;
    if (!element || !picture) return undefined;
    const hasFrame = () => element.offsetWidth > 0;
    const mover = () => (hasFrame() ? element : picture);
    let start: { x: number; at: number; id: number } | null = null;
    let moved = 0;

    const follow = () => {
      const part = moved / mover().offsetWidth;
      mover().style.transition = "none";
      mover().style.transform = `translateX(${moved}px) rotate(${Math.max(-1, Math.min(1, part)) * TURN_DEGREES}deg)`;
    };
    const settle = () => {
      for (const { style } of [element, picture]) {
        style.transition = "";
        style.transform = "";
      }
    };
    const handleDown = (event: PointerEvent) => {
      const nearEdge = event.clientX < EDGE_PX || event.clientX > innerWidth - EDGE_PX;
      const isOnText = !picture.contains(event.target as Node);
      if (isOnText && (event.pointerType === "mouse" || !hasFrame())) return;
      if (!event.isPrimary || event.button !== 0 || nearEdge) return;
      start = { x: event.clientX, at: event.timeStamp, id: event.pointerId };
      moved = 0;
    };
    const handleMove = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      moved = event.clientX - start.x;
      if (Math.abs(moved) < SLOP_PX) return;
      if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
      follow();
    };
    const handleUp = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const speed = Math.abs(moved) / Math.max(1, event.timeStamp - start.at);
      const commits =
        Math.abs(moved) > mover().offsetWidth * COMMIT_PART ||
        (Math.abs(moved) > SLOP_PX * 4 && speed > COMMIT_SPEED);
      start = null;
      settle();
      if (commits) latest.current(moved > 0 ? "like" : "pass");
    };
    const handleCancel = () => {
      start = null;
      settle();
    };
    // The end of a swipe must not click the link, and the picture must not be dragged.
    const handleClick = (event: MouseEvent) => {
      if (Math.abs(moved) >= SLOP_PX) event.preventDefault();
      moved = 0;
    };
    const handleDrag = (event: DragEvent) => event.preventDefault();

    element.addEventListener("pointerdown", handleDown);
    element.addEventListener("pointermove", handleMove);
    element.addEventListener("pointerup", handleUp);
    element.addEventListener("pointercancel", handleCancel);
    element.addEventListener("click", handleClick, { capture: true });
    element.addEventListener("dragstart", handleDrag);
    return () => {
      element.removeEventListener("pointerdown", handleDown);
      element.removeEventListener("pointermove", handleMove);
      element.removeEventListener("pointerup", handleUp);
      element.removeEventListener("pointercancel", handleCancel);
      element.removeEventListener("click", handleClick, { capture: true });
      element.removeEventListener("dragstart", handleDrag);
    };
  }, [card, portrait]);
}
