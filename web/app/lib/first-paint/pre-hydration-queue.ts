import { useEffect, useSyncExternalStore } from "react";
import { BLANK_ATTRIBUTE } from "../page/privacy-screen.ts";

const LOGIN_OPEN_ATTRIBUTE = "loginOpen";
const HYDRATED_EVENT = "hydrated";

/** The attribute of a button that blanks the page even before hydration. */
export const hidesScreenAtOnce = { "data-hides": "" };
/** The attribute of the button that shows the login's form even before hydration. */
export const opensLoginAtOnce = { "data-opens": "" };

/** Whether the login's form was opened before hydration; forgotten when its screen is left. */
export function useWasLoginOpened(): boolean {
  useEffect(() => () => void delete document.documentElement.dataset[LOGIN_OPEN_ATTRIBUTE], []);
  return useSyncExternalStore(
    () => () => {},
    () => LOGIN_OPEN_ATTRIBUTE in document.documentElement.dataset,
    () => false,
  );
}

let hasHydrated = false;

export const isHydrated = () => hasHydrated;

export function markHydrated(): void {
  hasHydrated = true;
  document.documentElement.dataset[HYDRATED_EVENT] = "";
  dispatchEvent(new Event(HYDRATED_EVENT));
}

/**
 * Queues the last press until hydration, because the browser would submit a prerendered form itself. The pressed button
 * is busy meanwhile. If the app fails to load, the page shows a notice.
 */
export const preHydrationQueueScript = () => `{
  const page = document.documentElement.dataset;
  const queue = new AbortController();
  const on = (type, act) => addEventListener(type, act, { capture: true, signal: queue.signal });
  let pressed = null;
  const keep = (event, button) => {
    event.preventDefault();
    // React would replay the event when it hydrates.
    event.stopImmediatePropagation();
    pressed?.removeAttribute("aria-busy");
    pressed = button;
    if (!("loadFailed" in page)) button?.setAttribute("aria-busy", "true");
  };
  const fail = () => {
    page.loadFailed = "";
    pressed?.removeAttribute("aria-busy");
  };
  on("submit", (event) => keep(event, event.submitter));
  on("click", (event) => {
    const button = event.target.closest("button[type=button]");
    if (!button) return;
    if (button.matches("[data-opens]")) {
      event.stopImmediatePropagation();
      page.${LOGIN_OPEN_ATTRIBUTE} = "";
      document.getElementsByName("user_id")[0].focus();
      return;
    }
    keep(event, button);
    if (button.matches("[data-hides]")) page.${BLANK_ATTRIBUTE} = "";
  });
  on("error", ({ target }) => (target === window || target.localName === "script") && fail());
  on("unhandledrejection", fail);
  on("${HYDRATED_EVENT}", () => {
    queue.abort();
    delete page.loadFailed;
    pressed?.removeAttribute("aria-busy");
    if (pressed?.isConnected) pressed.click();
  });
}`;
