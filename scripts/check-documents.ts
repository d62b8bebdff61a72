// npm run check -- documents
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { listFiles, readText, report, root } from "./lib/project.js";

const MAX_PAGE_LINES = 200;
const MAX_RECORD_LINES = 40;
/** Tables of rules and reviews are as long as their subject. */
const UNLIMITED = /^docs\/(?:product-rules\.md$|reviews\/)/;
const RECORD = /^docs\/adr\/(\d{4})-[a-z0-9-]+\.md$/;
const RECORD_FORM =
  /^# (\d{4})\. \S.*\n\nStatus: accepted\. Date: \d{4}-\d\d-\d\d\.\n\n## Context\n[\s\S]*\n## Decision\n[\s\S]*\n## Consequences\n/;
const LINK = /\]\(([^)\s]+)\)/g;
const CITED = /\bADR (\d{4})\b/g;
const FENCES = /^( *)```[\s\S]*?^\1```/gm;

export type Read = (path: string) => string | null;

/** Returns problems of a document or a source file: links without their file or heading, unknown records, length and form. */
export function findDocumentProblems(path: string, text: string, read: Read, records: Set<string>): string[] {
  const problems = [...text.matchAll(CITED)].flatMap(([cited, number]) =>
    records.has(number!) ? [] : [`${path}: there is no ${cited}`],
  );
  if (!path.endsWith(".md")) return problems;
  for (const [, link] of text.replace(FENCES, "").matchAll(LINK)) {
    if (/^[a-z]+:/.test(link!)) continue;
    const [file, heading] = link!.split("#");
    const target = file ? posix.join(posix.dirname(path), decodeURI(file)) : path;
    const page = file ? read(target) : text;
    if (page === null) problems.push(`${path}: there is no ${target}`);
    else if (heading && !headingsOf(page).has(heading))
      problems.push(`${path}: ${target} has no heading #${heading}`);
  }
  return [...problems, ...findFormProblems(path, text)];
}

function findFormProblems(path: string, text: string): string[] {
  const lines = text.split("\n").length - 1;
  const number = RECORD.exec(path)?.[1];
  if (number !== undefined) {
    const isWellFormed = RECORD_FORM.exec(text)?.[1] === number;
    return [
      ...(isWellFormed ? [] : [`${path}: a record has title, status, date, context, decision, consequences`]),
      ...(lines > MAX_RECORD_LINES ? [`${path}: ${lines} lines; at most ${MAX_RECORD_LINES}`] : []),
    ];
  }
  if (!path.startsWith("docs/") || UNLIMITED.test(path) || lines <= MAX_PAGE_LINES) return [];
  return [`${path}: ${lines} lines; at most ${MAX_PAGE_LINES}`];
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
function headingsOf(text: string): Set<string> {
  return new Set(
    [...text.replace(FENCES, "").matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/\]\([^)]*\)/g, "")
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

if (import.meta.main) {
  const files = listFiles("").filter((path) => /\.(?:md|tsx?|js|sql)$/.test(path));
  const records = new Set(files.flatMap((path) => RECORD.exec(path)?.[1] ?? []));
  const read = (path: string) =>
    !existsSync(join(root, path)) ? null : path.endsWith(".md") ? readText(path) : "";
  report(files.flatMap((path) => findDocumentProblems(path, readText(path), read, records)));
}
