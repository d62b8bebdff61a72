import { flushSync } from "react-dom";
import { endSession, sendFarewells } from "./api.ts";
import { cover } from "./privacy-screen.ts";
import { discretion, subscribeToDiscretion } from "./privacy-settings.ts";
import { idle } from "./idle.ts";
import { lock } from "./lock.ts";
import { currentSession, forgetTab, subscribeToSession } from "./session.ts";

/** What counts as use: what somebody does, never what the app does by itself. */
const USE = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
/** Choosing a picture takes a telephone to another screen: so long at least the page stays open meanwhile. */
const CHOOSING_MS = 60_000;

let isChoosingFile = false;

/**
 * Watches over the page from before its first screen: whether the session has gone unused, when the app locks, and
 * when it hides because nobody looks at it.
 */
export function startGuard(): void {
  if (!currentSession()) forgetTab();
  lock.start();
  cover.listen();
  idle.check();
  endIfUsedUp();
  void sendFarewells();

  subscribeToSession(handleSession);
  subscribeToDiscretion(idle.check);
  addEventListener("online", () => void sendFarewells());
  addEventListener("pageshow", handleSeen);
  document.addEventListener("visibilitychange", () =>
    document.visibilityState === "visible" ? handleSeen() : handleLeft(),
  );
  addEventListener("click", handleClick, { capture: true });
  for (const event of USE) addEventListener(event, handleUse, { capture: true, passive: true });
}

/** A login, a logout, or anything that another tab has noted. */
function handleSession(): void {
  lock.hear();
  idle.check();
}

function handleSeen(): void {
  isChoosingFile = false;
  idle.check();
  lock.comeBack();
}

function handleLeft(): void {
  // At once, before a switcher of apps takes its picture.
  if (discretion().hidesWhenLeft) flushSync(cover.putUp);
  lock.leave(isChoosingFile ? CHOOSING_MS : 0);
}

function handleClick({ target }: Event): void {
  isChoosingFile = target instanceof HTMLInputElement && target.type === "file";
}

/** NOTE: whoever tries PINs is not the member: while locked, nothing counts as use. */
function handleUse(): void {
  isChoosingFile = false; // a click that chooses one comes after the press that makes it
  if (lock.getState().isLocked) return;
  lock.comeBack();
  idle.use();
}

/** The last try may have been cut off by a reload. */
function endIfUsedUp(): void {
  if (lock.isUsedUp()) void endSession("pins");
}
