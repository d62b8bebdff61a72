import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";

/** A press that moves less is a click. */
const DRAG_FROM_PX = 6;

interface Drag {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  /** The distance between two items. */
  readonly step: number;
}

export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const result = [...items];
  result.splice(to, 0, ...result.splice(from, 1));
  return result;
}

/**
 * Orders the items of a row by drag, and by the arrow keys of the focused one. `onMove` is called once, when an item is
 * dropped, and returns false if nothing may move now. An item that was moved by key keeps the focus.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  count: number,
  onMove: (from: number, to: number) => boolean,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const press = useRef<{ from: number; x: number } | null>(null);
  const wasDragged = useRef(false);
  const focusAt = useRef<number | null>(null);

  useEffect(() => {
    if (focusAt.current === null) return;
    list.current?.children[focusAt.current]?.querySelector("button")?.focus();
    focusAt.current = null;
  });

  const isPlace = (place: number) => place >= 0 && place < count;

  function handleMove(event: PointerEvent<HTMLElement>) {
    if (!press.current) return;
    const { from, x } = press.current;
    const offset = event.clientX - x;
    if (!drag && Math.abs(offset) < DRAG_FROM_PX) return;
    if (!drag) event.currentTarget.setPointerCapture(event.pointerId);
    wasDragged.current = true;
    const step = stepOf(list.current);
    const to = Math.max(0, Math.min(count - 1, from + Math.round(offset / step)));
    setDrag({ from, to, offset, step });
  }

  function finish(isDropped: boolean) {
    press.current = null;
    if (isDropped && drag && drag.to !== drag.from) onMove(drag.from, drag.to);
    setDrag(null);
  }

  const itemProps = (place: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      wasDragged.current = false;
      if (event.button === 0 && event.isPrimary && count > 1)
        press.current = { from: place, x: event.clientX };
    },
    onPointerMove: handleMove,
    onPointerUp: () => finish(true),
    onPointerCancel: () => finish(false),
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => {
      if (!wasDragged.current) return;
      event.preventDefault();
      event.stopPropagation();
      wasDragged.current = false;
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const to = place + (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0);
      if (to === place || !isPlace(to)) return;
      event.preventDefault();
      if (onMove(place, to)) focusAt.current = to;
    },
    "data-dragged": drag?.from === place ? "" : undefined,
    style: { translate: `${offsetOf(place, drag)}px 0` },
  });
  return { itemProps, isDragging: drag !== null };
}

function stepOf(list: HTMLElement | null): number {
  const [first, second] = [...(list?.children ?? [])].map((item) => item.getBoundingClientRect().left);
  return Math.max(1, (second ?? 0) - (first ?? 0)) || 1;
}

/** The others make room for the dragged item. */
function offsetOf(place: number, drag: Drag | null): number {
  if (!drag) return 0;
  const { from, to, offset, step } = drag;
  if (place === from) return offset;
  if (from < place && place <= to) return -step;
  return to <= place && place < from ? step : 0;
}
