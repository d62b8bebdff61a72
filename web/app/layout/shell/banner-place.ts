import { useLayoutEffect, useState } from "react";

/** A banner with its margins, in pixels. */
const BANNER = { width: 480, height: 88, margin: 8 };

/** Dialogs hold the bottom of a phone's window. */
const DIALOG = "[role='dialog'], [role='alertdialog']";

/**
 * Returns the distance of a banner from the bottom of the window in pixels; null places it at the top, while a dialog is open.
 * `data-bottom-bar` marks bars and lines that it must not cover. A focused field scrolls to where the banner does not cover it.
 */
export function useBannerPlace(isShown: boolean): number | null {
  const [bottom, setBottom] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    const page = document.documentElement.dataset;
    const place = () => {
      const isBelow = document.querySelector(DIALOG) === null;
      page["banner"] = isBelow ? "below" : "above";
      setBottom(isBelow ? distanceFromBottom() : null);
    };
    place();
    const controller = new AbortController();
    for (const event of ["resize", "scroll", "focusin"])
      addEventListener(event, place, { passive: true, signal: controller.signal });
    globalThis.visualViewport?.addEventListener("resize", place, controller);
    return () => {
      controller.abort();
      delete page["banner"];
    };
  }, [isShown]);
  return bottom;
}

/** The keyboard of a phone may cover a part of the window. */
function distanceFromBottom(): number {
  const viewport = globalThis.visualViewport;
  let end = viewport ? viewport.offsetTop + viewport.height : innerHeight;
  const middle = innerWidth / 2;
  const bars = [...document.querySelectorAll("[data-bottom-bar]")]
    .map((bar) => bar.getBoundingClientRect())
    .filter((bar) => bar.left < middle + BANNER.width / 2 && bar.right > middle - BANNER.width / 2)
    .sort((one, other) => other.bottom - one.bottom);
  for (const bar of bars)
    if (bar.height > 0 && bar.bottom > end - BANNER.height && bar.top < end) end = bar.top;
  return Math.round(innerHeight - end) + BANNER.margin;
}
