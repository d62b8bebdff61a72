import { logOperatorAction, readOperatorActions } from "../accounts/index.ts";
import { type Group, noWords } from "./command-line.ts";
import { findOrExplain } from "./commands/members.ts";

export const log: Group = {
  list: {
    takes: "[--member USER_ID]",
    says: "what operators did, the newest first; the latest 200",
    options: { member: "only what concerns this member" },
    tells: {
      at: "when",
      act: "what was typed, without the names of members and the ids of orders and payouts",
      subject: "the user id of the member whom it was about; `-` for nobody or somebody who left",
      reason: "what was given as --reason",
    },
    read: (words, { member }) => {
      noWords(words, "log list takes nothing but --member USER_ID.");
      return async (ctx, reason) => {
        const found = member === undefined ? null : await findOrExplain(ctx, member);
        await logOperatorAction(ctx, "log list", found ?? { userId: "-" }, reason);
        const acts = await readOperatorActions(ctx, found?.userId ?? null);
        return acts.map(({ at, act, subject, reason: why }) => ({
          at: at.toISOString(),
          act,
          subject,
          reason: why,
        }));
      };
    },
  },
};
