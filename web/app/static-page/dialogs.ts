import { pathInLanguage, rememberLanguage } from "../lib/texts/language.ts";
import { idle } from "../lib/session/idle.ts";
import { privacyScreen } from "../lib/page/privacy-screen.ts";
import { languages } from "@alcove/i18n";
import { reloadWithTexts } from "./contact.ts";

const dialog = (id: string) => document.getElementById(id) as HTMLDialogElement;

export function startDialogs(): void {
  const chooser = dialog("languages");
  closeByPress(chooser);
  document.querySelector("[data-opens-languages]")?.addEventListener("click", () => chooser.showModal());
  chooser.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLElement>("[data-language]");
    const chosen = languages.find((language) => language === link?.dataset["language"]);
    if (!chosen) return;
    event.preventDefault();
    rememberLanguage(chosen);
    reloadWithTexts(pathInLanguage(chosen, location));
  });

  const warning = dialog("idle-warning");
  closeByPress(warning);
  // The privacy screen closes dialogs, which is no use of the app.
  warning.addEventListener("close", () => !privacyScreen.isShown() && idle.stay());
  const showWarning = () => {
    if (!idle.isWarning()) warning.close();
    else if (!privacyScreen.isShown() && !warning.open) warning.showModal();
  };
  idle.subscribe(showWarning);
  showWarning();
}

/** By a button in it, or by a press beside it. */
function closeByPress(sheet: HTMLDialogElement): void {
  sheet.addEventListener("click", ({ target }) => {
    if (target === sheet || (target as Element).closest("[data-closes]")) sheet.close();
  });
}
