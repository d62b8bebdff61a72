import type { Dm } from "@alcove/contract/messaging";
import type { Language } from "@alcove/i18n";
import { SeededRandom } from "./seeded-random.ts";
import { languageOfMessage } from "./languages.ts";
import { words } from "./phrases/index.ts";

/** How many of its own last answers somebody does not repeat. */
const REMEMBERED = 3;

/** A friendly, neutral answer to a message, in its language; `said` is what its receiver has said before. */
export function answerTo(
  message: Pick<Dm, "id" | "description" | "file">,
  { said, spoken }: { said: readonly string[]; spoken: Language },
): string {
  const { answers } = words[languageOfMessage(message.description, spoken)];
  const fitting = said.length === 0 && message.file === null ? answers.first : followUp(message, answers);
  const recent = said.slice(-REMEMBERED);
  const unsaid = fitting.filter((answer) => !recent.includes(answer));
  return new SeededRandom(message.id).pick(unsaid.length > 0 ? unsaid : fitting);
}

function followUp(
  { description, file }: Pick<Dm, "description" | "file">,
  answers: (typeof words)[Language]["answers"],
): readonly string[] {
  if (file !== null) return answers.toImage;
  return /[?？]|[吗嗎呢][。\s]*$|か[。\s]*$/u.test(description ?? "") ? answers.toQuestion : answers.later;
}
