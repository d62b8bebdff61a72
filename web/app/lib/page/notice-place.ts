import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { banner, type BannerMessage, useBanners } from "./banner.ts";

const NONE: readonly symbol[] = [];
let places = NONE;
const listeners = new Set<() => void>();

function setPlaces(now: readonly symbol[]): void {
  places = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function usePlaces(): readonly symbol[] {
  return useSyncExternalStore(
    subscribe,
    () => places,
    () => NONE,
  );
}

const isIn = (place: boolean) => (message: BannerMessage) =>
  place && message.tone === "notify" && !message.isOutOfSight;

/** Messages that no place of the screen shows. */
export function useFloating(): readonly BannerMessage[] {
  const hasPlace = usePlaces().length > 0;
  const shownInPlace = isIn(hasPlace);
  return useBanners().filter((message) => !shownInPlace(message));
}

/**
 * A place of the screen that shows notices instead of a banner. The last one of a screen does. Returns the newest
 * message, and a function that removes it and older ones. One that is out of sight becomes a banner.
 */
export function useNoticePlace(place: HTMLElement | null): {
  notice: BannerMessage | null;
  remove: () => void;
} {
  const [own] = useState(() => Symbol("place"));
  useLayoutEffect(() => {
    setPlaces([...places, own]);
    return () => setPlaces(places.filter((one) => one !== own));
  }, [own]);
  const all = useBanners();
  const isShowing = usePlaces().at(-1) === own;
  const notice = all.findLast(isIn(isShowing)) ?? null;
  useLayoutEffect(() => {
    if (notice && place && !isInSight(place)) banner.float(notice.id);
  }, [notice, place]);
  const remove = useCallback(() => {
    for (const { id } of banner.getState().filter(isIn(true))) banner.remove(id);
  }, []);
  return { notice, remove };
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}
