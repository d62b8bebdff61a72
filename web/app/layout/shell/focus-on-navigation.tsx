import { useEffect } from "react";
import { useLocation } from "react-router";
import { focusHeading } from "../../lib/focus-heading.ts";
import { useIsLoggedIn } from "../../lib/session/session.ts";

/** The screen that was shown last; null until the first one, whose reading the browser begins by itself. */
let last: { path: string | null; isLoggedIn: boolean } | null = null;

/** The screen is taken away, though its address stays: coming back to it is an arrival. */
export function resetNavigationFocus(): void {
  last = { path: null, isLoggedIn: true };
}

/**
 * Brings the focus to the heading of a screen that one has gone to. Another query, another language or an open dialog
 * moves nothing; scrolling is left to the browser's history.
 */
export function FocusOnNavigation() {
  const { pathname } = useLocation();
  const isLoggedIn = useIsLoggedIn();
  const path = pathname.split("/").slice(2).join("/");
  useEffect(() => {
    if (isLoggedIn === null) return; // a built page is being taken over
    const hasNavigated = last !== null && (last.path !== path || (last.isLoggedIn && !isLoggedIn));
    last = { path, isLoggedIn };
    if (hasNavigated) focusHeading();
  }, [path, isLoggedIn]);
  return null;
}
