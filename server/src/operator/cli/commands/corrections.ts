import { decide, listCorrections, openCorrection } from "../../corrections.ts";
import type { Actor } from "../../members.ts";
import {
  type FieldDescriptions,
  type Group,
  noArguments,
  OperatorError,
  parseUuid,
  required,
  singleArgument,
  type Subcommand,
} from "../command-line.ts";

const USAGE = "corrections list takes no arguments; corrections show, accept and reject take one ID.";

const byCommand = (reason: string | null): Actor => ({ operatorId: null, reason });
const parseId = (words: readonly string[]): string => parseUuid(singleArgument(words, USAGE), USAGE);
const unknown = (id: string): string => `No correction ${id} waits.`;

const DECIDED: FieldDescriptions = { id: "the request", state: "the decision" };

const deciding = (isAccepted: boolean, summary: string): Subcommand => ({
  usage: "ID",
  summary,
  fields: DECIDED,
  parse: (words) => {
    const id = parseId(words);
    return async (ctx, reason) => {
      if (!(await decide(ctx, byCommand(reason), id, isAccepted))) throw new OperatorError(unknown(id));
      return { id, state: isAccepted ? "done" : "rejected" };
    };
  },
});

export const corrections: Group = {
  list: {
    usage: "",
    summary: "members' requests to correct sex or date of birth, oldest first, 100 rows",
    fields: { id: "the request", on: "day of the request", field: "`sex` or `date_of_birth`" },
    parse: (words) => {
      noArguments(words, USAGE);
      return async (ctx, reason) => listCorrections(ctx, byCommand(reason));
    },
  },
  show: {
    usage: "ID",
    summary: "a request with its reason",
    hasLongValues: true,
    fields: {
      id: "the request",
      on: "day of the request",
      user_id: "the member",
      field: "`sex` or `date_of_birth`",
      now: "the value at present",
      wanted: "the value that the member asks for",
      reason: "the member's words",
    },
    parse: (words) => {
      const id = parseId(words);
      return async (ctx, reason) => {
        const found = required(await openCorrection(ctx, byCommand(reason), id), unknown(id));
        const { on, userId, field, now, value } = found;
        return { id, on, user_id: userId, field, now, wanted: value, reason: found.reason };
      };
    },
  },
  accept: deciding(true, "corrects the profile; the search follows at once"),
  reject: deciding(false, "leaves the profile as it is"),
};
