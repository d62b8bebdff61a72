import { useRef, type MouseEvent, type PointerEvent, type TouchEvent } from "react";

const HOLD_MS = 400;
const MOVED_PX = 10;
const SWIPE_PX = 56;
const SWIPE_MAX_PX = 80;
/** The edge belongs to the system's back gesture. */
const EDGE_PX = 24;

interface Press {
  readonly bubble: HTMLElement;
  readonly messageId: string;
  readonly x: number;
  readonly y: number;
  timer: ReturnType<typeof setTimeout> | null;
  swipedPx: number;
}

interface Gestures {
  onMenu: (messageId: string) => void;
  onReply: (messageId: string) => void;
}

/** A tap or a long press opens the menu of a message, a swipe to the right replies. Mice use the right button. */
export function useGestures({ onMenu, onReply }: Gestures) {
  const press = useRef<Press | null>(null);
  /** A long press or swipe is no tap. The mouse events after it would close the menu. */
  const isTouchUsed = useRef(false);

  function end() {
    if (press.current?.timer) clearTimeout(press.current.timer);
    press.current?.bubble.style.removeProperty("translate");
    press.current = null;
  }
  function handleDown(event: PointerEvent) {
    end();
    isTouchUsed.current = false;
    const bubble = bubbleAt(event);
    const messageId = bubble && messageIdOf(bubble);
    const isSlider = (event.target as HTMLElement).matches("input");
    if (!bubble || !messageId || isSlider || event.pointerType !== "touch" || !event.isPrimary) return;
    const { clientX: x, clientY: y } = event;
    const timer = setTimeout(() => {
      end();
      isTouchUsed.current = true;
      onMenu(messageId);
    }, HOLD_MS);
    press.current = { bubble, messageId, x, y, timer, swipedPx: 0 };
  }
  function handleMove({ clientX, clientY }: PointerEvent) {
    const current = press.current;
    if (!current) return;
    const [dx, dy] = [clientX - current.x, clientY - current.y];
    if (current.timer && Math.hypot(dx, dy) > MOVED_PX) {
      clearTimeout(current.timer);
      current.timer = null;
      if (dx < 2 * Math.abs(dy) || current.x < EDGE_PX) return end();
    }
    if (current.timer) return;
    current.swipedPx = Math.max(0, Math.min(dx, SWIPE_MAX_PX));
    current.bubble.style.translate = `${current.swipedPx}px`;
  }
  function handleUp() {
    const current = press.current;
    end();
    if (!current || current.swipedPx === 0) return;
    isTouchUsed.current = true;
    if (current.swipedPx >= SWIPE_PX) onReply(current.messageId);
  }
  function handleTouchEnd(event: TouchEvent) {
    if (isTouchUsed.current && event.cancelable) event.preventDefault();
  }
  function handleClick(event: MouseEvent) {
    const bubble = bubbleAt(event);
    const messageId = bubble && messageIdOf(bubble);
    if (!messageId || !isTap(event)) return;
    onMenu(messageId);
  }
  return {
    onPointerDown: handleDown,
    onPointerMove: handleMove,
    onPointerUp: handleUp,
    onPointerCancel: end,
    onTouchEnd: handleTouchEnd,
    onClick: handleClick,
  };
}

/** On the text itself, with a finger or a pen. */
function isTap({ target, nativeEvent }: MouseEvent): boolean {
  const element = target as HTMLElement;
  const isMouse = "pointerType" in nativeEvent && nativeEvent.pointerType === "mouse";
  return (
    element.closest("p") !== null &&
    element.closest("a, button") === null &&
    (!isMouse || matchMedia("(pointer: coarse)").matches)
  );
}

function bubbleAt({ target }: { target: EventTarget }): HTMLElement | null {
  return (target as HTMLElement).closest("li");
}

function messageIdOf(bubble: HTMLElement): string | null {
  return bubble.querySelector("[data-message]")?.getAttribute("data-message") ?? null;
}
