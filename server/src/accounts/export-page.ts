import type { Language } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { escapeHtml } from "../platform/lib/escape-html.ts";
import { HTML_LANG } from "./emails/email-template.ts";

type Data = Required<ExportPart>;

const PICTURE = /^images\/[0-9a-f-]+\.jpg$/;
const VOICE_NOTE = /^voice\/[0-9a-f-]+\.wav$/;
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?Z$/;
/** Their values are words of ours; other texts are the member's. */
const CHOICES = new Set([
  "sex",
  "status",
  "verdict",
  "kind",
  "visibility",
  "reason",
  "state",
  "correction",
  "field",
  "source",
  "from",
  "document",
  "search_sex",
  "search_range_unit",
  "location_precision",
  "arrival",
  "how_long_married_unit",
  "salary_duration",
  "method",
  "reaction",
]);

const STYLE = `
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem; font: 16px/1.6 system-ui, sans-serif; color-scheme: light dark }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.5rem }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 2fr; gap: .25rem 1rem; margin: 0 }
dt { opacity: .7 } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line }
ul { list-style: none; margin: 0; padding: 0 } li { padding: .6rem 0; border-top: 1px solid #8884 }
img { max-width: 100%; max-height: 20rem; border-radius: .5rem }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr } dt { margin-top: .5rem } }`;

type Words = Readonly<Record<string, string>>;

/** One readable page without a script. Pictures and voice notes are files beside it. Lists are read page by page, as in `data.json`. */
export async function* streamPage(
  language: Language,
  { values, lists, files }: Data,
): AsyncGenerator<string> {
  const words: Words = allTranslations[language].exportPage;
  yield* pageHead(language, words["title"]!);
  for (const [name, value] of Object.entries(values))
    yield `<h2>${labelOf(words, name)}</h2>\n${render(words, name, value)}\n`;
  for (const [name, list] of Object.entries(lists)) {
    yield `<h2>${labelOf(words, name)}</h2>\n`;
    let isEmpty = true;
    for await (const item of list()) {
      if (isEmpty) yield "<ul>\n";
      isEmpty = false;
      yield `<li>${render(words, name, item)}</li>\n`;
    }
    yield isEmpty ? "<p>–</p>\n" : "</ul>\n";
  }
  for (const [title, pattern] of [
    ["pictures", PICTURE],
    ["voice_notes", VOICE_NOTE],
  ] as const) {
    const names = files.map(({ name }) => name).filter((name) => pattern.test(name));
    if (names.length > 0) yield `<h2>${labelOf(words, title)}</h2>\n${render(words, title, names)}\n`;
  }
  yield "</body>\n</html>\n";
}

function* pageHead(language: Language, title: string): Generator<string> {
  yield `<!doctype html>
<html lang="${HTML_LANG[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="content-security-policy" content="script-src 'none'; object-src 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
`;
}

/** A field without a word of its own keeps its name. */
const labelOf = (words: Words, name: string): string => escapeHtml(words[name] ?? name.replaceAll("_", " "));

function render(words: Words, name: string, value: unknown): string {
  if (value instanceof Date) return render(words, name, value.toISOString());
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return escapeHtml(words[value ? "yes" : "no"]!);
  if (Array.isArray(value)) return renderList(words, name, value);
  if (typeof value === "object") return renderFields(words, value);
  if (typeof value === "string" || typeof value === "number") return renderText(words, name, String(value));
  return "–";
}

function renderList(words: Words, name: string, list: readonly unknown[]): string {
  if (list.length === 0) return "–";
  return `<ul>${list.map((item) => `<li>${render(words, name, item)}</li>`).join("\n")}</ul>`;
}

function renderFields(words: Words, fields: object): string {
  const rows = Object.entries(fields).map(
    ([name, value]) => `<dt>${labelOf(words, name)}</dt><dd>${render(words, name, value)}</dd>`,
  );
  return `<dl>${rows.join("\n")}</dl>`;
}

function renderText(words: Words, name: string, text: string): string {
  if (PICTURE.test(text)) return `<img src="${text}" alt="" loading="lazy">`;
  if (VOICE_NOTE.test(text)) return `<audio src="${text}" controls preload="none"></audio>`;
  if (CHOICES.has(name)) return escapeHtml(words[`is_${text}`] ?? text);
  return escapeHtml(text.replace(TIME, "$1 $2 (UTC)"));
}
