import { browserStore } from "../../device/stored.ts";
import { forgetApp, keepApp } from "../../device/worker.ts";
import { startDuplicates } from "./duplicated-tabs.ts";
import { endSession, sendPendingLogouts } from "./end-session.ts";
import { privacyScreen } from "../page/privacy-screen.ts";
import { privacySettings, subscribeToPrivacySettings } from "./privacy-settings.ts";
import { idle } from "./idle.ts";
import { lock } from "./lock.ts";
import { MEMBER_ATTRIBUTE } from "../first-paint/start-view.ts";
import { deleteExpiredDrafts } from "./draft-expiry.ts";
import { currentSession, clearTabData, subscribeToSession } from "./session.ts";

const USE_EVENTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
/** A phone hides the page while the member chooses a picture. The app then does not lock. */
const FILE_CHOICE_MS = 60_000;

let isChoosingFile = false;

/** `showCover` renders the privacy screen before it returns. */
export function startWatchers(showCover: () => void): void {
  if (!currentSession()) clearTabData();
  deleteExpiredDrafts();
  lock.start();
  privacyScreen.startListening();
  startDuplicates();
  idle.check();
  endAfterLastAttempt();
  void sendPendingLogouts();
  keepOrForgetApp();

  markMember();
  subscribeToSession(handleSessionChange);
  subscribeToPrivacySettings(idle.check);
  addEventListener("online", () => void sendPendingLogouts());
  addEventListener("pageshow", handleVisible);
  document.addEventListener("visibilitychange", () =>
    document.visibilityState === "visible" ? handleVisible() : handleHidden(showCover),
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
  // Another tab can delete its own tab's storage only.
  if (!currentSession()) clearTabData();
  markMember();
  keepOrForgetApp();
  lock.sync();
  idle.check();
}

/** The style sheet shows some parts only to members, or only to visitors. */
function markMember(): void {
  document.documentElement.toggleAttribute(MEMBER_ATTRIBUTE, currentSession() !== null);
}

function handleVisible(): void {
  isChoosingFile = false;
  idle.check();
  lock.handleVisible();
}

function handleHidden(showCover: () => void): void {
  // Synchronously, before an app switcher takes its screenshot.
  if (privacySettings().hidesWhenLeft) showCover();
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
