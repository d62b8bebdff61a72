import { loadCalls } from "../lib/api/load-calls.ts";
import { privacyScreen } from "../lib/page/privacy-screen.ts";
import { lock } from "../lib/session/lock.ts";
import {
  currentSession,
  isForPurchases,
  logoutReason,
  releasePage,
  subscribeToSession,
} from "../lib/session/session.ts";

const language = () => document.documentElement.lang.toLowerCase();

/** Follows logins and logouts in other tabs, and shows in the menu whether something is unread. */
export function startMember(): void {
  let wasLoggedIn = currentSession() !== null;
  if (wasLoggedIn && !isForPurchases()) showUnread().catch(() => undefined);
  subscribeToSession(() => {
    const isLoggedIn = currentSession() !== null;
    const hasEnded = wasLoggedIn && !isLoggedIn;
    wasLoggedIn = isLoggedIn;
    if (!hasEnded) return;
    releasePage();
    // No URL reveals the page, as in the app.
    if (logoutReason() !== null) location.replace(`/${language()}/login`);
  });
}

async function showUnread(): Promise<void> {
  const { api, staticPageRoutes } = await loadCalls();
  const { unread } = await api(staticPageRoutes.getLastDms, {});
  for (const part of document.querySelectorAll<HTMLElement>(".dock__dot, .dock .vh"))
    part.hidden = unread.length === 0;
}

/** Opens the app in place of the page, with its lock screen. Returns whether the app is locked. */
export function leaveIfLocked(): boolean {
  if (!lock.getState().isLocked) return false;
  if (privacyScreen.isShown()) return true;
  document.documentElement.dataset["start"] = "leaving";
  const next = encodeURIComponent(location.pathname + location.search);
  location.replace(`/${language()}/login?next=${next}`);
  return true;
}
