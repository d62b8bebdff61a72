import { flushSync } from "react-dom";
import { endSession, sendPendingLogouts } from "./end-session.ts";
import { privacyScreen } from "../privacy-screen.ts";
import { privacySettings, subscribeToPrivacySettings } from "./privacy-settings.ts";
import { idle } from "./idle.ts";
import { lock } from "./lock.ts";
import { currentSession, clearTabData, subscribeToSession } from "./session.ts";

/** What counts as use: what somebody does, never what the app does by itself. */
const USE_EVENTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
/** Choosing a picture takes a telephone to another screen: so long at least the page stays open meanwhile. */
const FILE_CHOICE_MS = 60_000;

let isChoosingFile = false;

/**
 * Watches over the page from before its first screen: whether the session has gone unused, when the app locks, and
 * when it hides because nobody looks at it.
 */
export function startWatchers(): void {
  if (!currentSession()) clearTabData();
  lock.start();
  privacyScreen.startListening();
  idle.check();
  endAfterLastAttempt();
  void sendPendingLogouts();

  subscribeToSession(handleSessionChange);
  subscribeToPrivacySettings(idle.check);
  addEventListener("online", () => void sendPendingLogouts());
  addEventListener("pageshow", handleVisible);
  document.addEventListener("visibilitychange", () =>
    document.visibilityState === "visible" ? handleVisible() : handleHidden(),
  );
  addEventListener("click", handleClick, { capture: true });
  for (const event of USE_EVENTS) addEventListener(event, handleUse, { capture: true, passive: true });
}

/** A login, a logout, or anything that another tab has noted. */
function handleSessionChange(): void {
  lock.sync();
  idle.check();
}

function handleVisible(): void {
  isChoosingFile = false;
  idle.check();
  lock.handleVisible();
}

function handleHidden(): void {
  // At once, before a switcher of apps takes its picture.
  if (privacySettings().hidesWhenLeft) flushSync(privacyScreen.show);
  lock.handleHidden(isChoosingFile ? FILE_CHOICE_MS : 0);
}

function handleClick({ target }: Event): void {
  isChoosingFile = target instanceof HTMLInputElement && target.type === "file";
}

/** NOTE: whoever tries PINs is not the member: while locked, nothing counts as use. */
function handleUse(): void {
  isChoosingFile = false; // a click that chooses one comes after the press that makes it
  if (lock.getState().isLocked) return;
  lock.handleVisible();
  idle.recordUse();
}

/** The last try may have been cut off by a reload. */
function endAfterLastAttempt(): void {
  if (lock.hasNoAttemptsLeft()) void endSession("pins");
}
