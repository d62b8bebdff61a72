// npm run check -- prose [path …] [--stats]: long sentences and words of the old dialect in comments, test names and Markdown

const MAX_WORDS = 30;

const TALK = /\b(?:tells?|told|telling|hears?|heard|hearing|says?|said|saying)\b/;
const CLAUSES =
  /\bwhat(?:'s| (?:is|are|was|were|has|have|had|it|they|we|its|an?|the|this|that|can|may|must)\b)|\b(?:what|who|whom)ever\b|\b(?:some|any|no|every)(?:body|one) (?:who|that|whose)\b|(?:^|\b(?:of|by|to|for|from|with|than|at|about|only|if|when|after|before|whether|and that|lets|shows|names) )who\b/;

/** @type {[RegExp, string][]} a forbidden phrase, and the standard words */
const PHRASES = [
  [TALK, "notify, publish, return, state, show or log"],
  [CLAUSES, "a noun: the member, the remaining rows"],
  [/\banswer(?:s|ed|ing)?\b/, "response, return or respond"],
  [/\blots?\b/, "many, batch or random rank"],
  [/\bhints?\b/, "event"],
  [/\brefusals?\b|\brefuse\(/, "error"],
  [/\bconsequences?\b/, "domain event"],
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
];

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:\w"'`/\\])\/\/[^\n]*/;
const TOKENS = new RegExp(`(${COMMENT.source})|${STRING.source}`, "g");
const TEST_NAME = /\b(?:test|describe|it)(?:\.\w+(?:\([^()]*\))?)*\(\s*("(?:\\.|[^"\\\n])*"|`[^`]*`)/g;
const DIRECTIVE = /^\s*(?:(?:oxlint|eslint)-\S+.*?(?:-- |$)|@ts-\S+)/;
const TAG =
  /^\s*@\w+\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}\S*\s*)?(?:(?<=@(?:param|property|typedef).*)\[?[\w.]+\]?)?/;

/** @typedef {{ line: number, text: string }} Line of prose; an empty one ends a paragraph */

/**
 * @param {string} path
 * @param {string} text
 * @param {(document: string) => boolean} exists whether the repository has this document, by its path from the root
 * @returns {string[]} `path:line: problem`
 */
export function findProseProblems(path, text, exists) {
  const isMarkdown = path.endsWith(".md");
  const lines = isMarkdown ? markdownLines(path, text) : [...commentLines(text), ...testNames(text)];
  const missing = lines.flatMap(({ line, text: prose }) =>
    (prose.match(/\bdocs\/[\w./-]*\w/g) ?? [])
      .filter((document) => !exists(document))
      .map((document) => `${line}: there is no ${document}`),
  );
  const unclear = paragraphsOf(lines).flatMap((paragraph) => sentencesOf(paragraph).flatMap(problemsOf));
  return [...missing, ...unclear].map((problem) => `${path}:${problem}`);
}

/**
 * Words of comment for each 100 lines of code, and old dialect for each 1,000 words of comment.
 *
 * @param {Map<string, string>} files
 */
export function measureProse(files) {
  const sources = [...files].filter(([path]) => !path.endsWith(".md")).map(([, text]) => text);
  const lines = sources.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  const prose = sources
    .flatMap(commentLines)
    .map(({ text }) => text)
    .join("\n");
  const words = wordsIn(prose);
  const per = (/** @type {RegExp} */ phrase) => {
    const found = prose.match(new RegExp(phrase.source.replaceAll(" ", "\\s+"), "gim")) ?? [];
    return ((found.length / words) * 1000).toFixed(1);
  };
  return [
    `${words} words of comment in ${lines} lines: ${((words / lines) * 100).toFixed(1)} for each 100 lines`,
    `for each 1,000 words of comment: ${per(CLAUSES)} clauses as nouns, ${per(TALK)} tell, hear or say`,
  ].join("\n");
}

/**
 * @param {string} text
 * @returns {Line[]}
 */
function commentLines(text) {
  /** @type {Line[]} */
  const lines = [];
  let [line, end, wasAlone] = [1, 0, false];
  for (const { 0: token, 1: comment, index } of text.matchAll(TOKENS)) {
    if (!comment) continue;
    const between = text.slice(end, index);
    line += countOf(between, "\n");
    end = index + token.length;

    const isAlone = /(?:^|\n)[ \t]*$/.test(between);
    if (!(wasAlone && comment.startsWith("//") && /^\n[ \t]*$/.test(between))) lines.push({ line, text: "" });
    for (const row of comment.replace(/\*\/$/, "").split("\n")) {
      const prose = row.replace(/^\s*(?:\/\*+|\/\/+|\*)\s?/, "").replace(DIRECTIVE, "");
      if (TAG.test(prose)) lines.push({ line, text: "" });
      lines.push({ line, text: prose.replace(TAG, "") });
      line += 1;
    }
    line -= 1;
    wasAlone = isAlone && comment.startsWith("//");
  }
  return lines;
}

/**
 * @param {string} text
 * @returns {Line[]}
 */
function testNames(text) {
  return [...text.matchAll(TEST_NAME)].flatMap(({ 1: name = "", index }) => {
    const line = countOf(text.slice(0, index), "\n") + 1;
    return [
      { line, text: name.slice(1, -1) },
      { line, text: "" },
    ];
  });
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Line[]}
 */
function markdownLines(path, text) {
  const prose = text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, (code) => code.replace(/[^\n]/g, ""));
  return prose.split("\n").flatMap((row, index) => {
    const line = index + 1;
    if (!row.trimStart().startsWith("|")) return [{ line, text: row.replace(/\]\([^)]*\)/g, "]") }];
    if (path.includes("benchmarks")) return [{ line, text: "" }];
    return row.split("|").flatMap((cell) => [
      { line, text: cell },
      { line, text: "" },
    ]);
  });
}

/**
 * @param {Line[]} lines
 * @returns {Line[]} each with the number of its first line
 */
function paragraphsOf(lines) {
  /** @type {Line[]} */
  const paragraphs = [];
  let isOpen = false;
  for (const { line, text } of lines) {
    const last = paragraphs.at(-1);
    const startsAnew = /^\s*(?:[-*] |\d+\. |#|>)/.test(text);
    if (last && isOpen && !startsAnew && text.trim()) last.text += `\n${text}`;
    else if (text.trim()) paragraphs.push({ line, text });
    isOpen = text.trim() !== "" && !text.startsWith("#");
  }
  return paragraphs;
}

/**
 * @param {Line} paragraph
 * @returns {Line[]}
 */
function sentencesOf({ line, text }) {
  const spared = text.replace(/`[^`]*`|https?:\S+/g, (code) => code.replace(/[^\n]/g, "x"));
  let start = line;
  return spared.split(/(?<=(?<!\b(?:e\.g|i\.e|vs|cf|etc))[.!?]["')*\]]*)(?=\s)/).map((sentence) => {
    const first = start + countOf(/^\s*/.exec(sentence)?.[0] ?? "", "\n");
    start += countOf(sentence, "\n");
    return { line: first, text: sentence.trim() };
  });
}

/** @param {Line} sentence */
function problemsOf({ line, text }) {
  const words = wordsIn(text);
  const problems =
    words > MAX_WORDS
      ? [`${line}: a sentence of ${words} words: ${text.replace(/\s+/g, " ").slice(0, 50)} …`]
      : [];
  if (text.endsWith("?")) return problems;
  const own = text.replace(/"[^"]*"|“[^”]*”/g, (quoted) => quoted.replace(/[^\n]/g, "x"));
  for (const [phrase, instead] of PHRASES) {
    const found = new RegExp(phrase.source.replaceAll(" ", "\\s+"), "i").exec(own);
    if (found)
      problems.push(
        `${line + countOf(own.slice(0, found.index), "\n")}: "${found[0].replace(/\s+/g, " ")}"; instead: ${instead}`,
      );
  }
  return problems;
}

/** @param {string} text */
function wordsIn(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/**
 * @param {string} text
 * @param {string} part
 */
function countOf(text, part) {
  return text.split(part).length - 1;
}
