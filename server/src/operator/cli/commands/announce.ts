import { readFile } from "node:fs/promises";
import { type Language, languages } from "@alcove/i18n";
import type { Announcement } from "../../../announcements/index.ts";
import { announceTo } from "../../announce.ts";
import { type Group, noArguments, OperatorError, type Options, UsageError } from "../command-line.ts";

const USAGE = "announce needs --to all|FILE and --text-file NAME.";
const SUBJECT_MAX = 150;
const NOT_NEUTRAL =
  /\bmarri|\bmarry|\bspouse|\bdating\b|\baffair|matchmak|[結结]婚|[既已]婚|夫婦|夫妻|不倫|浮気|出[轨軌]|外遇|交友|約會|约会/i;

async function readText(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new OperatorError(`${path} cannot be read: ${error.message}`);
  });
  return text
    .replace(/^\ufeff/, "")
    .replaceAll(/\r\n?/g, "\n")
    .normalize("NFC")
    .trim();
}

/** The first line is the subject, unless one is given. Empty lines separate paragraphs. */
async function readEmail(name: string, language: Language, given: string | null) {
  const path = `${name}.${language}.txt`;
  const text = await readText(path);
  const [first = "", ...rest] = text.split("\n");
  const subject = given ?? first.trim();
  const body = given === null ? rest.join("\n") : text;
  const paragraphs = body
    .split(/\n[^\S\n]*(?:\n[^\S\n]*)+/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
  if (!subject || paragraphs.length === 0)
    throw new OperatorError(`${path} needs a subject in its first line and a text below it.`);
  if (subject.length > SUBJECT_MAX)
    throw new OperatorError(`The subject of ${path} has more than ${SUBJECT_MAX} characters.`);
  const [word] = NOT_NEUTRAL.exec(`${subject}\n${body}`) ?? [];
  if (word)
    throw new OperatorError(
      `${path} says "${word}". Others may read an email, too: leave out what the service is.`,
    );
  return { subject, paragraphs };
}

async function readEmails(name: string, subject: string | null): Promise<Announcement> {
  const emails = [];
  for (const language of languages)
    emails.push([language, await readEmail(name, language, subject)] as const);
  return Object.fromEntries(emails) as unknown as Announcement;
}

async function readUserIds(path: string): Promise<string[]> {
  const lines = (await readText(path)).split("\n").map((line) => line.trim());
  const userIds = [...new Set(lines.filter(Boolean))];
  if (userIds.length === 0) throw new OperatorError(`${path} has no user id.`);
  return userIds;
}

function parseOptions({ to, subject = "", "text-file": name }: Options) {
  if (!to || !name) throw new UsageError(USAGE);
  const given = subject.trim();
  if (/[\r\n]/.test(given)) throw new UsageError("--subject must be one line.");
  return { to, name, subject: given || null };
}

export const announceCommand: Group = {
  "": {
    usage: "--to all|FILE [--subject TEXT] --text-file NAME",
    summary: "emails members in their language; the same command again continues",
    options: {
      to: "`all`, or a file of user ids, one a line",
      subject: "one subject for all languages, instead of the first line of each file",
      "text-file": "NAME of NAME.en.txt, NAME.ja.txt, NAME.zh-hans.txt and NAME.zh-hant.txt",
    },
    fields: {
      queued: "number of emails queued now; the server sends them",
      earlier: "number of members who were sent the same emails before",
      unknown: "user ids of the file without a member",
      "unknown.user_id": "as in the file",
    },
    parse: (words, values) => {
      noArguments(words, USAGE);
      const { to, name, subject } = parseOptions(values);
      return async (ctx, reason) => {
        const emails = await readEmails(name, subject);
        const receivers = to === "all" ? to : await readUserIds(to);
        const { queued, earlier, unknown } = await announceTo(
          ctx,
          { operatorId: null, reason },
          emails,
          receivers,
        );
        return {
          queued: String(queued),
          earlier: String(earlier),
          unknown: unknown.map((user_id) => ({ user_id })),
        };
      };
    },
  },
};
