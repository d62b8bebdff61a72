import { PULL_RELOAD_PX } from "@alcove/contract/times";
import { privacyScreen } from "./privacy-screen.ts";
import { lock } from "../session/lock.ts";

/** Moves of fewer pixels have no direction yet. */
const SLOP_PX = 12;

interface PullHandlers {
  /** Called with each distance in pixels, and with 0 at the end. */
  onPull: (px: number) => void;
  onReload: () => void;
}

/** Watches a finger that pulls the page down from its top. A reload of cover or lock would show the app's address anew. */
export function watchPull({ onPull, onReload }: PullHandlers, signal: AbortSignal): void {
  let start: Touch | null = null;
  let pulled = 0;
  const pull = (px: number) => {
    pulled = Math.max(0, px);
    onPull(pulled);
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
    if (isFar) onReload();
  };
  addEventListener("touchstart", handleStart, { passive: true, signal });
  addEventListener("touchmove", handleMove, { passive: true, signal });
  addEventListener("touchend", handleEnd, { signal });
  addEventListener("touchcancel", stop, { signal });
}

/** Shows from here on. */
export const isPullVisible = (px: number): boolean => px >= 2 * SLOP_PX;

/** Not within a dialog, a control that is dragged, or anything that scrolls on its own. */
function canPull(target: EventTarget | null): boolean {
  if (scrollY > 0 || privacyScreen.isShown() || lock.getState().isLocked) return false;
  if (!(target instanceof Element) || target.closest("dialog, [role='dialog'], input, textarea, select"))
    return false;
  for (let at: Element | null = target; at && at !== document.body; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return false;
  return true;
}
