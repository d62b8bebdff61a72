import { focusHeading } from "../lib/page/focus-heading.ts";
import { markHydrated } from "../lib/first-paint/pre-hydration-queue.ts";
import { privacyScreen } from "../lib/page/privacy-screen.ts";
import { lock } from "../lib/session/lock.ts";
import { startWatchers } from "../lib/session/watchers.ts";
import { startBanners } from "./banners.ts";
import { startContact } from "./contact.ts";
import { startCover } from "./cover.ts";
import { startDialogs } from "./dialogs.ts";
import { leaveIfLocked, startMember } from "./member.ts";
import { startPull } from "./pull.ts";

// The only script of a static page: the parts of the app that such a page needs, without React.
startWatchers(privacyScreen.show);
startCover(() => !leaveIfLocked());
lock.subscribe(leaveIfLocked);
leaveIfLocked();
startMember();
startDialogs();
startBanners();
startPull();
for (const year of document.querySelectorAll("[data-year]"))
  year.textContent = String(new Date().getFullYear());
void finish();

/** Not at the top level: the form's code imports this file, and both would wait for each other. */
async function finish(): Promise<void> {
  await startForm();
  markHydrated();
  // After a link in this site, as in the app.
  const { from, navigationType } = globalThis.navigation?.activation ?? {};
  if (!from || navigationType !== "push" || document.activeElement !== document.body) return;
  // A new document does not know whether mouse or keyboard opened it: the ring waits for a key.
  const { dataset } = document.documentElement;
  dataset["opened"] = "";
  addEventListener("keydown", () => delete dataset["opened"], { once: true });
  focusHeading();
}

async function startForm(): Promise<void> {
  const contact = document.querySelector<HTMLElement>("[data-contact]");
  if (contact) await startContact(contact);
  const unsubscribe = document.querySelector<HTMLFormElement>("[data-unsubscribe]");
  if (unsubscribe)
    (await import("../screens/public/start-unsubscribe-form.ts")).startUnsubscribeForm(unsubscribe);
}
