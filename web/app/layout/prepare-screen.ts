import type { Language } from "@alcove/i18n";
import { loadFile } from "../lib/api/load-file.ts";
import { needsMore, prepareTexts, type TextNeeds } from "../lib/texts/texts.ts";
import { prepareIcons } from "../ui/icon.tsx";

/**
 * Loads the texts and icons of a screen.
 *
 * @throws OfflineError
 */
export async function prepareScreen(language: Language, needs: TextNeeds): Promise<void> {
  await loadFile(async () =>
    Promise.all([prepareTexts(language, needs), needsMore(needs) && prepareIcons()]),
  );
}
