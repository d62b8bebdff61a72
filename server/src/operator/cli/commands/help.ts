import { text as readText } from "node:stream/consumers";
import { listHelp, replyToHelp, showHelp } from "../../help.ts";
import { CONTACT_MAX } from "@alcove/contract/limits";
import {
  type FieldDescriptions,
  type Group,
  noArguments,
  OperatorError,
  parseUuid,
  required,
  singleArgument,
} from "../command-line.ts";

const USAGE = "help list takes no arguments; help show, answer and close take one ID.";

const parseId = (words: readonly string[]): string => parseUuid(singleArgument(words, USAGE), USAGE);

const DONE: FieldDescriptions = { id: "the newest message of the thread" };

const unknown = (id: string): string => `There is no thread with the message ${id}.`;

export const help: Group = {
  list: {
    usage: "",
    summary: "members' threads that wait for an answer, oldest first",
    fields: {
      id: "the newest question, for `help show`",
      since: "day of the oldest open question",
      questions: "number of open questions",
    },
    parse: (words) => {
      noArguments(words, USAGE);
      return async (ctx, reason) =>
        (await listHelp(ctx, { operatorId: null, reason })).map(({ id, since, questions }) => ({
          id,
          since,
          questions: String(questions),
        }));
    },
  },
  show: {
    usage: "ID",
    summary: "the thread of a message",
    hasLongValues: true,
    fields: {
      id: "the newest message, for `help answer`",
      user_id: "the member",
      from: "`member` or `operator`",
      text: "the message",
      created_at: "time of the message",
    },
    parse: (words) => {
      const id = parseId(words);
      return async (ctx, reason) => {
        const found = required(await showHelp(ctx, { operatorId: null, reason }, id), unknown(id));
        return found.messages.map(({ from, text, created_at }) => ({
          id: found.id,
          user_id: found.userId,
          from: from === "me" ? "member" : "operator",
          text,
          created_at,
        }));
      };
    },
  },
  answer: {
    usage: "ID",
    summary: "reads the answer from standard input",
    fields: DONE,
    parse: (words) => {
      const id = parseId(words);
      return async (ctx, reason) => {
        if (process.stdin.isTTY) process.stderr.write("Answer, then Ctrl+D: ");
        const text = (await readText(process.stdin)).trim();
        if (text === "" || text.length > CONTACT_MAX)
          throw new OperatorError(`An answer has 1 to ${CONTACT_MAX} characters.`);
        required((await replyToHelp(ctx, { operatorId: null, reason }, { id, text })) || null, unknown(id));
        return { id };
      };
    },
  },
  close: {
    usage: "ID",
    summary: "takes a thread off the list without an answer",
    fields: DONE,
    parse: (words) => {
      const id = parseId(words);
      return async (ctx, reason) => {
        const isKnown = await replyToHelp(ctx, { operatorId: null, reason }, { id, text: null });
        required(isKnown || null, unknown(id));
        return { id };
      };
    },
  },
};
