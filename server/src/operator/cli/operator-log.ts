import { readLog } from "../log.ts";
import { type Group, noArguments } from "./command-line.ts";
import { requireMember } from "./commands/members.ts";

export const log: Group = {
  list: {
    usage: "[--member USER_ID]",
    summary: "the latest 200 operator commands, newest first",
    options: { member: "only entries about this member" },
    fields: {
      at: "when",
      operator: "the account of the console; empty for the command line",
      action: "the command, without user ids and the ids of orders and payouts",
      subject: "the member's user id; `-` for none",
      reason: "the value of --reason",
    },
    parse: (words, { member }) => {
      noArguments(words, "log list takes only --member USER_ID.");
      return async (ctx, reason) => {
        const found = member === undefined ? null : await requireMember(ctx, member);
        const { entries } = await readLog(ctx, { operatorId: null, reason }, { subject: found });
        return entries.map(({ at, operator, action, subject, reason: why }) => ({
          at: at.toISOString(),
          operator,
          action,
          subject,
          reason: why,
        }));
      };
    },
  },
};
