import { noteOperatorAct, readOperatorActs } from "../accounts/index.ts";
import { type Group, noWords } from "./command-line.ts";
import { findOrExplain } from "./members.ts";

export const log: Group = {
  list: {
    takes: "[--member USER_ID]",
    says: "what operators did, the newest first; the latest 200",
    options: { member: "only what concerns this member" },
    read: (words, { member }) => {
      noWords(words, "log list takes nothing but --member USER_ID.");
      return async (deps, reason) => {
        const found = member === undefined ? null : await findOrExplain(deps, member);
        await noteOperatorAct(deps, "log list", found ?? { userId: "-" }, reason);
        const acts = await readOperatorActs(deps, found?.userId ?? null);
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
