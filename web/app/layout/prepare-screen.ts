import type { Language } from "@alcove/i18n";
import { needsMore, prepareTexts, type TextNeeds } from "../lib/texts.ts";
import { prepareIcons } from "../ui/icon.tsx";

/** Loads the texts and icons of a screen. */
export async function prepareScreen(language: Language, needs: TextNeeds): Promise<void> {
  await Promise.all([prepareTexts(language, needs), needsMore(needs) && prepareIcons()]);
}
