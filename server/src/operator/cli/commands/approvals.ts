import { ApiError } from "../../../platform/errors.ts";
import type { AppContext } from "../../../platform/context.ts";
import { approveRequest, listRequests, rejectRequest } from "../../requests.ts";
import {
  type Group,
  noArguments,
  OperatorError,
  parseUuid,
  singleArgument,
  type Subcommand,
} from "../command-line.ts";

const USAGE = "approvals list takes no arguments; approvals approve and reject take one ID.";

function decision(summary: string, decide: typeof approveRequest): Subcommand {
  return {
    usage: "ID",
    summary,
    fields: { id: "the request" },
    parse: (words) => {
      const id = parseUuid(singleArgument(words, USAGE), USAGE);
      return async (ctx: AppContext, reason) => {
        await decide(ctx, { operatorId: null, reason }, id).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === "not_found")
            throw new OperatorError(`There is no request ${id} of another operator.`);
          throw error;
        });
        return { id };
      };
    },
  };
}

export const approvals: Group = {
  list: {
    usage: "",
    summary: "actions that wait for a second operator",
    hasLongValues: true,
    fields: {
      id: "for `approvals approve`",
      action: "`members delete`, `payouts import`, `payouts return` or `keys backup`",
      details: "amount and ids of a payout",
      user_id: "the member",
      reason: "why it was asked for",
      operator: "who asked; empty for the command line, which cannot approve it",
      on: "when it was asked for",
      state: "`waiting` or `approved`",
      until: "when it is over",
    },
    parse: (words) => {
      noArguments(words, USAGE);
      return async (ctx, reason) => {
        const requests = await listRequests(ctx, { operatorId: null, reason });
        return requests.map(
          ({ id, action, details, userId, reason: why, operator, on, isApproved, until }) => ({
            id,
            action,
            details,
            user_id: userId,
            reason: why,
            operator,
            on,
            state: isApproved ? "approved" : "waiting",
            until: until.toISOString(),
          }),
        );
      };
    },
  },
  approve: decision("agrees to an action of an operator of the console", approveRequest),
  reject: decision("rejects an action, or takes one's own back", rejectRequest),
};
