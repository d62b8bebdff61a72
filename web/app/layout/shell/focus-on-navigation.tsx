import { useEffect } from "react";
import { useLocation } from "react-router";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { useIsLoggedIn } from "../../lib/session/session.ts";

/** The previous screen; null before the first one, which the browser focuses itself. */
let previous: { path: string | null; isLoggedIn: boolean } | null = null;

export function resetNavigationFocus(): void {
  previous = { path: null, isLoggedIn: true };
}

/** Focuses the heading of a new screen. Another query or language is not a new screen. */
export function FocusOnNavigation() {
  const { pathname } = useLocation();
  const isLoggedIn = useIsLoggedIn();
  const path = pathname.split("/").slice(2).join("/");
  useEffect(() => {
    if (isLoggedIn === null) return; // not hydrated yet
    const hasNavigated =
      previous !== null && (previous.path !== path || (previous.isLoggedIn && !isLoggedIn));
    previous = { path, isLoggedIn };
    if (hasNavigated) focusHeading();
  }, [path, isLoggedIn]);
  return null;
}
