// npm run check -- prose [path …] [--stats]: comments, test names and documents
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { listFiles, readText, report, root } from "./lib/project.js";

const MAX_WORDS = 30;

const TALK = /\b(?:tells?|told|telling|hears?|heard|hearing|says?|said|saying)\b/;
const CLAUSES =
  /\bwhat(?:'s| (?:is|are|was|were|has|have|had|it|they|we|its|an?|the|this|that|can|may|must)\b)|\b(?:what|who|whom)ever\b|\b(?:some|any|no|every)(?:body|one) (?:who|that|whose)\b|(?:^|\b(?:of|by|to|for|from|with|than|at|about|only|if|when|after|before|whether|and that|lets|shows|names) )who\b/;

const PHRASES: [RegExp, string][] = [
  [TALK, "notify, publish, return, state, show or log"],
  [CLAUSES, "a noun: the member, the remaining rows"],
  [/\banswer(?:s|ed|ing)?\b/, "response, return or respond"],
  [/\blots?\b/, "many, batch or random rank"],
  [/\bhints?\b/, "event"],
  [/\brefusals?\b|\brefuse\(/, "error"],
  [/(?<!^#+ |^\*\*)\bconsequences?\b/, "domain event"],
  [/\bstand-ins?\b/, "fake server"],
  [/\bfarewells?\b/, "pending logout"],
  [/\bfaults?\b(?! injection)/, "bug, unexpected error or field error"],
  [/\b(?:seals?|sealed|sealing)\b/, "encrypt"],
  [/\bwish(?:es)?\b/, "options or input"],
  [/\bpatien(?:ce|t)\b/, "timeout"],
  [/\bcatalogues?\b/, "translations"],
  [/\bjourneys?\b/, "e2e test"],
  [/\bworlds\b/, "cases"],
  [/\blook-ups?\b/, "lookup"],
  [/\b(?:the|an?|each|every|one|this|of|live) asks?\b/, "request"],
  [/\bby (?:itself|themselves|oneself)\b/, "automatically or alone"],
  [/\blet(?:s|ting)? go of\b/, "release or end"],
  [
    /\bletters?\b(?<!\b(?:latin|capital|upper-?case|lower-?case|small|single|one|first|full-width) letters?)(?!,? (?:and|or) (?:digit|number))/,
    "email",
  ],
  [/\b(?:specification|spec|decisions),? (?:section|§)/, "a document in docs/"],
  [/(?<![\w.~-])\/(?:root|work|Users|home\/[a-z]\w*)\/[\w.-]/, "a path in the repository"],
];

const NAMES: [RegExp, string][] = [
  [/\bmoods?\b/, "fault"],
  [/\bkept\b/, "stored"],
  [/\buncover/, "hide the privacy screen"],
];
const UNCHECKED_NAMES = /^server\//;

/** Words of comment for each 100 lines of source without tests. */
const MAX_DENSITY = 45;
/** Workspaces below the limit. The others get a warning. */
const STRICT = new Set(["bench", "e2e", "i18n", "mobile", "scripts", "server", "test-services", "web"]);
const TESTS = /\.test\.tsx?$|\/(?:testing|tests)\//;

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:\w"'`/\\])\/\/[^\n]*/;
const COMMENTS = new RegExp(`(${COMMENT.source})|${STRING.source}`, "g");
const ALL_COMMENTS_AND_STRINGS = new RegExp(`${COMMENT.source}|${STRING.source}`, "g");
const DIRECTIVES = /(?<=^[ \t\f]*)(?:(?:oxlint|eslint)-\S+(?:.*?--)?|@ts-\S+)/gm;
const TAGS =
  /(?<=^[ \t\f]*)@\w+(?: *\{(?:[^{}]|\{[^{}]*\})*\}\S*)?(?:(?<=@(?:param|property|typedef).*) *\[?[\w.]+\]?)?/gm;
const TEST_NAMES = /(?<=\b(?:test|describe|it)(?:\.\w+(?:\([^()]*\))?)*\(\s*)("(?:\\.|[^"\\\n])*"|`[^`]*`)/g;
const FENCES = /^( *)(?:```|~~~)[\s\S]*?^\1(?:```|~~~)/gm;

/** Ends a paragraph. Reduced texts keep their length, so that an offset leads to the line of the file. */
const BREAK = "\f";
/** Starts at a word: code leaves long runs of spaces and breaks, which a search for its end would read again and again. */
const PARAGRAPHS = /#.*|\S[^\f]*?(?=\f|\n[^\S\n]*(?:\n|[-*] |\d+\. |#|>)|$(?![\s\S]))/g;
const SENTENCES = /\S[\s\S]*?(?:(?<!\b(?:e\.g|i\.e|vs|cf|etc))[.!?]["')*\]]*(?=\s|$)|$(?![\s\S]))/g;

export function findProseProblems(
  path: string,
  text: string,
  exists: (document: string) => boolean,
): string[] {
  const proses = path.endsWith(".md")
    ? [proseOfMarkdown(text)]
    : [proseOfComments(text), proseOfTestNames(text)];
  const missing = proses.flatMap((prose) =>
    Array.from(prose.matchAll(/\bdocs\/[\w./-]*\w/g))
      .filter(([document]) => !exists(document))
      .map(({ 0: document, index }) => ({ index, problem: `there is no ${document}` })),
  );
  const unclear = proses
    .flatMap(sentencesIn)
    .flatMap(({ index, sentence }) =>
      problemsIn(sentence).map(({ at, problem }) => ({ index: index + at, problem })),
    );
  return [...missing, ...unclear]
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, problem }) => `${path}:${text.slice(0, index).split("\n").length}: ${problem}`);
}

export function findNameProblems(path: string, text: string): string[] {
  if (UNCHECKED_NAMES.test(path)) return [];
  const code = text.replace(ALL_COMMENTS_AND_STRINGS, (part) => part.replace(/\S/g, " "));
  return code.split("\n").flatMap((line, index) =>
    (line.match(/[\p{L}_$][\w$]*/gu) ?? []).flatMap((name) => {
      const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])|_/g, " ").toLowerCase();
      return NAMES.filter(([word]) => word.test(words)).map(
        ([, instead]) => `${path}:${index + 1}: the name "${name}"; instead: ${instead}`,
      );
    }),
  );
}

/** Returns the workspaces with too many words of comment, as problems or warnings. */
export function findWordyWorkspaces(files: [path: string, text: string][]): {
  problems: string[];
  warnings: string[];
} {
  const result = { problems: [] as string[], warnings: [] as string[] };
  const workspaces = Map.groupBy(
    files.filter(([path]) => path.includes("/") && !TESTS.test(path)),
    ([path]) => path.split("/")[0]!,
  );
  for (const [workspace, sources] of workspaces) {
    const { words, lines } = measureComments(sources.map(([, text]) => text));
    const density = Math.round((words / lines) * 100);
    if (density <= MAX_DENSITY) continue;
    const list = STRICT.has(workspace) ? result.problems : result.warnings;
    list.push(
      `${workspace}: ${density} words of comment for each 100 lines without tests; at most ${MAX_DENSITY}`,
    );
  }
  return result;
}

function measureComments(sources: string[]): { words: number; lines: number } {
  const lines = sources.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  return { words: countWords(sources.map(proseOfComments).join(BREAK)), lines };
}

export function measureProse(sources: string[]): string {
  const { words, lines } = measureComments(sources);
  const prose = sources.map(proseOfComments).join(BREAK);
  const sentences = sentencesIn(prose).map(({ sentence }) => sentence);
  const per1000 = (phrase: RegExp) => {
    const found = sentences.flatMap((sentence) => sentence.match(anySpace(phrase)) ?? []);
    return ((found.length / words) * 1000).toFixed(1);
  };
  return (
    `${words} words of comment in ${lines} lines: ${((words / lines) * 100).toFixed(1)} for each 100 lines\n` +
    `for each 1,000 words of comment: ${per1000(CLAUSES)} clauses as nouns, ${per1000(TALK)} tell, hear or say`
  );
}

function problemsIn(sentence: string): { at: number; problem: string }[] {
  const words = countWords(sentence);
  const start = sentence.replace(/\s+/g, " ").slice(0, 50);
  const long = words > MAX_WORDS ? [{ at: 0, problem: `a sentence of ${words} words: ${start} …` }] : [];
  if (sentence.endsWith("?")) return long;
  const unquoted = sentence.replace(/"[^"]*"|“[^”]*”/g, (quoted) => quoted.replace(/\S/g, "x"));
  const phrases = PHRASES.flatMap(([phrase, instead]) =>
    [...unquoted.matchAll(anySpace(phrase))].map(({ 0: found, index }) => ({
      at: index,
      problem: `"${found.replace(/\s+/g, " ")}"; instead: ${instead}`,
    })),
  );
  return [...long, ...phrases];
}

function sentencesIn(prose: string): { index: number; sentence: string }[] {
  const withoutCode = prose.replace(/`[^`\f]*`|https?:\S+/g, (code) => code.replace(/\S/g, "x"));
  return [...withoutCode.matchAll(PARAGRAPHS)].flatMap((paragraph) =>
    [...paragraph[0].matchAll(SENTENCES)].map(({ 0: sentence, index }) => ({
      index: paragraph.index + index,
      sentence: sentence.trimEnd(),
    })),
  );
}

function proseOfComments(text: string): string {
  return keep(text, COMMENTS, (comment) =>
    comment
      .replace(/^\/\*+|\*\/$/g, breaks)
      .replace(/^\/\/|^[ \t]*\*/gm, spaces)
      .replace(DIRECTIVES, breaks)
      .replace(TAGS, breaks),
  );
}

function proseOfTestNames(text: string): string {
  return keep(text, TEST_NAMES, (name) => name.replace(/^.|.$/g, BREAK));
}

function proseOfMarkdown(text: string): string {
  return text
    .replace(FENCES, breaks)
    .replace(/(?<=\])\([^)]*\)/g, spaces)
    .replace(/^ *\|.*/gm, (row) => row.replaceAll("|", BREAK));
}

function keep(text: string, pattern: RegExp, change: (prose: string) => string): string {
  let [result, end] = ["", 0];
  for (const { 0: match, 1: prose, index } of text.matchAll(pattern)) {
    if (prose === undefined) continue;
    result += breaks(text.slice(end, index)) + change(prose);
    end = index + match.length;
  }
  return result + breaks(text.slice(end));
}

function breaks(text: string): string {
  return text.replace(/\S/g, BREAK);
}

function spaces(text: string): string {
  return text.replace(/\S/g, " ");
}

function countWords(text: string): number {
  return text.split(/[\s\f]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function anySpace(phrase: RegExp): RegExp {
  return new RegExp(phrase.source.replaceAll(" ", "\\s+"), "gi");
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const paths = args.filter((arg) => !arg.startsWith("--")).map((path) => relative(root, resolve(path)));
  const isChosen = (path: string) =>
    paths.length === 0 || paths.some((chosen) => chosen === "" || `${path}/`.startsWith(`${chosen}/`));
  const files = listFiles("").filter((path) => /\.(?:tsx?|js|css|md)$/.test(path) && isChosen(path));
  const sources = files
    .filter((path) => !path.endsWith(".md"))
    .map((path): [string, string] => [path, readText(path)]);
  if (args.includes("--stats")) console.log(measureProse(sources.map(([, text]) => text)));
  else {
    const { problems, warnings } = findWordyWorkspaces(paths.length === 0 ? sources : []);
    for (const warning of warnings) console.log(`warning: ${warning}`);
    report([
      ...files.flatMap((path) =>
        findProseProblems(path, readText(path), (document) => existsSync(join(root, document))),
      ),
      ...sources.filter(([path]) => !path.endsWith(".css")).flatMap((source) => findNameProblems(...source)),
      ...problems,
    ]);
  }
}
