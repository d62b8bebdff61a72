import { disguiseTab } from "../lib/page/document-title.ts";
import { privacyScreen } from "../lib/page/privacy-screen.ts";
import { itemsOf, lineOf, notesOf, variantOf } from "../layout/privacy-screen/note-texts.ts";
import { copyOfTemplate } from "../lib/first-paint/template.ts";
import { staticTexts } from "../lib/first-paint/static-texts.ts";

/** The privacy screen of a static page. `onUncover` returns false if the page stays hidden. */
export function startCover(onUncover: () => boolean): void {
  let uncover: (() => void) | null = null;
  const update = () => {
    // A press before this script ran comes again.
    if (privacyScreen.isShown()) uncover ??= cover(onUncover);
    else {
      uncover?.();
      uncover = null;
    }
  };
  privacyScreen.subscribe(update);
  document.querySelector("[data-hides]")?.addEventListener("click", privacyScreen.showAndLock);
  update();
}

function cover(onUncover: () => boolean): () => void {
  const page = document.querySelector<HTMLElement>(".behind-cover")!;
  const focused = document.activeElement;
  const dialogs = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")];
  for (const dialog of dialogs) dialog.close();
  page.hidden = true;
  page.inert = true;
  const notes = copyOfTemplate("cover");
  fillIn(notes);
  document.body.append(notes);
  const endDisguise = disguiseTab(staticTexts().coverTitle);
  privacyScreen.markRendered(); // first: a blank page cannot have the focus
  const back = notes.querySelector("button")!;
  back.addEventListener("click", privacyScreen.hide);
  back.focus();
  return () => {
    if (!onUncover()) return;
    notes.remove();
    endDisguise();
    page.hidden = false;
    page.inert = false;
    for (const dialog of dialogs) dialog.showModal();
    if (focused instanceof HTMLElement) focused.focus();
  };
}

/** The build knows neither the day nor the hour. */
function fillIn(root: HTMLElement): void {
  const now = new Date();
  const lines = staticTexts().notes[variantOf(now)]!;
  const { today, earlier, newest } = notesOf(lines, now, document.documentElement.lang);
  const rows = root.querySelectorAll(".notes__box li");
  for (const [at, note] of [...today, ...earlier].entries()) {
    rows[at]!.querySelector("b")!.textContent = note.title;
    rows[at]!.querySelector("span")!.textContent = lineOf(note);
  }
  const [open] = today;
  root.querySelector(".notes__page time")!.textContent = newest;
  root.querySelector(".notes__page h2")!.textContent = open!.title;
  root.querySelector(".notes__page ul")!.replaceChildren(
    ...itemsOf(open!.text).map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
}
