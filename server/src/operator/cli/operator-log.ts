import { readLog } from "../log.ts";
import { CASE_OPTION, type Group, noArguments, parseCase } from "./command-line.ts";
import { requireMember } from "./commands/members.ts";

export const log: Group = {
  list: {
    usage: "[--member USER_ID] [--case NUMBER]",
    summary: "the latest 200 operator commands, newest first",
    options: { member: "only entries about this member", ...CASE_OPTION },
    fields: {
      at: "when",
      operator: "the account of the console; empty for the command line",
      action: "the command, without user ids and the ids of orders and payouts",
      subject: "the member's user id; `-` for none",
      reason: "the value of --reason",
    },
    parse: (words, values) => {
      noArguments(words, "log list takes only --member USER_ID and --case NUMBER.");
      const { member } = values;
      const caseNo = parseCase(values);
      return async (ctx, reason) => {
        const found = member === undefined ? null : await requireMember(ctx, member);
        const { entries } = await readLog(ctx, { operatorId: null, reason, caseNo }, { subject: found });
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
