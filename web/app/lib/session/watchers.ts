import { flushSync } from "react-dom";
import { browserStore } from "../../device/stored.ts";
import { forgetApp, keepApp } from "../../device/worker.ts";
import { endSession, sendPendingLogouts } from "./end-session.ts";
import { privacyScreen } from "../privacy-screen.ts";
import { privacySettings, subscribeToPrivacySettings } from "./privacy-settings.ts";
import { idle } from "./idle.ts";
import { lock } from "./lock.ts";
import { deleteExpiredSignUp } from "./sign-up-expiry.ts";
import { currentSession, clearTabData, subscribeToSession } from "./session.ts";

const USE_EVENTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
/** A phone hides the page while the member chooses a picture. The app then does not lock. */
const FILE_CHOICE_MS = 60_000;

let isChoosingFile = false;

export function startWatchers(): void {
  if (!currentSession()) clearTabData();
  deleteExpiredSignUp();
  lock.start();
  privacyScreen.startListening();
  idle.check();
  endAfterLastAttempt();
  void sendPendingLogouts();
  keepOrForgetApp();

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

/** A login on a shared computer leaves no files. */
function keepOrForgetApp(): void {
  // A browser may forbid workers.
  if (browserStore.get("session") === null) forgetApp().catch(() => undefined);
  else keepApp();
}

function handleSessionChange(): void {
  keepOrForgetApp();
  lock.sync();
  idle.check();
}

function handleVisible(): void {
  isChoosingFile = false;
  idle.check();
  lock.handleVisible();
}

function handleHidden(): void {
  // Synchronously, before an app switcher takes its screenshot.
  if (privacySettings().hidesWhenLeft) flushSync(privacyScreen.show);
  lock.handleHidden(isChoosingFile ? FILE_CHOICE_MS : 0);
}

function handleClick({ target }: Event): void {
  isChoosingFile = target instanceof HTMLInputElement && target.type === "file";
}

/** NOTE: nothing counts as use while locked, because another person may be trying PINs. */
function handleUse(): void {
  isChoosingFile = false; // the click on a file input follows its own pointerdown
  if (lock.getState().isLocked) return;
  lock.handleVisible();
  idle.recordUse();
}

/** A reload may have interrupted the last attempt. */
function endAfterLastAttempt(): void {
  if (lock.hasNoAttemptsLeft()) void endSession("pins");
}
