import { useEffect, useEffectEvent, useState, type CSSProperties } from "react";
import { PULL_RELOAD_PX } from "@alcove/contract/times";
import { privacyScreen } from "../lib/privacy-screen.ts";
import { lock } from "../lib/session/lock.ts";
import { Icon } from "../ui/icon.tsx";

/** Moves of fewer pixels have no direction yet. */
const SLOP_PX = 12;

/** Reloads the page when a finger pulls it down from its top. A reload of cover or lock would show the app's address anew. */
export function PullToReload({ onReload }: { onReload: () => void }) {
  const [pulledPx, setPulledPx] = useState(0);
  const reload = useEffectEvent(onReload);
  useEffect(() => {
    let start: Touch | null = null;
    let pulled = 0;
    const pull = (px: number) => {
      pulled = Math.max(0, px);
      setPulledPx(pulled);
    };
    const stop = () => {
      start = null;
      pull(0);
    };
    const handleStart = ({ touches, target }: TouchEvent) => {
      start = touches.length === 1 && canPull(target) ? touches[0]! : null;
    };
    const handleMove = ({ touches }: TouchEvent) => {
      const [finger] = touches;
      if (!start || !finger) return;
      const [x, y] = [finger.clientX - start.clientX, finger.clientY - start.clientY];
      const isSideways = pulled < SLOP_PX && Math.abs(x) > SLOP_PX && Math.abs(x) > y;
      if (touches.length > 1 || scrollY > 0 || isSideways) stop();
      else pull(y);
    };
    const handleEnd = () => {
      const isFar = pulled > PULL_RELOAD_PX;
      stop();
      if (isFar) reload();
    };
    addEventListener("touchstart", handleStart, { passive: true });
    addEventListener("touchmove", handleMove, { passive: true });
    addEventListener("touchend", handleEnd);
    addEventListener("touchcancel", stop);
    return () => {
      removeEventListener("touchstart", handleStart);
      removeEventListener("touchmove", handleMove);
      removeEventListener("touchend", handleEnd);
      removeEventListener("touchcancel", stop);
    };
  }, []);

  if (pulledPx < 2 * SLOP_PX) return null;
  return (
    <div
      className="pull"
      aria-hidden="true"
      data-far={pulledPx > PULL_RELOAD_PX ? "" : undefined}
      style={{ "--pulled": Math.min(1, pulledPx / PULL_RELOAD_PX) } as CSSProperties}
    >
      <Icon name="undo" />
    </div>
  );
}

/** Not within a dialog, a control that is dragged, or anything that scrolls on its own. */
function canPull(target: EventTarget | null): boolean {
  if (scrollY > 0 || privacyScreen.isShown() || lock.getState().isLocked) return false;
  if (!(target instanceof Element) || target.closest("dialog, [role='dialog'], input, textarea, select"))
    return false;
  for (let at: Element | null = target; at && at !== document.body; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return false;
  return true;
}
