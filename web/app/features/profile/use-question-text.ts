import { languages, type Translations } from "@alcove/i18n";
import { questionOn } from "@alcove/contract/questions";
import { currentLanguage } from "../../lib/texts/language.ts";
import { lazyModule, useLazyModule } from "../../ui/on-demand/on-demand.tsx";

type Texts = Pick<Translations, "questions">;

const files = import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
  query: "?part=questions",
  import: "default",
});
const texts = Object.fromEntries(
  languages.map((language) => [language, lazyModule(files[`../../../../i18n/locales/${language}.json`]!)]),
);

/**
 * Returns the question of the week of a day `YYYY-MM-DD`, to which a reply of that day belongs. Forty questions are too
 * much for the start of the app, so they load with the first reply. Until then, and without a day, the text is empty.
 */
export function useQuestionText(day: string | null): string {
  const loaded = useLazyModule(texts[currentLanguage()]!, day !== null);
  return day === null || !loaded ? "" : loaded.questions[`q${questionOn(day)}` as "q1"];
}
