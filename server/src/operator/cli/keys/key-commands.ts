import { logOperatorAction } from "../../../accounts/index.ts";
import { keyBackup } from "../backup/backup-commands.ts";
import { type Group, noArguments } from "../command-line.ts";
import { rotateKeys } from "./rotate-keys.ts";

export const keys: Group = {
  backup: keyBackup,
  rotate: {
    usage: "",
    summary: "replaces the master key while the servers run; continues an interrupted rotation",
    fields: {
      master_key: "the id of the master key that is used now",
      rewrapped: "number of keys that were encrypted again",
      next_step: "the operator's next step",
    },
    hasLongValues: true,
    parse: (words) => {
      noArguments(words, "keys rotate takes no arguments.");
      return async (ctx, reason, { databaseUrl }) => {
        await logOperatorAction(ctx, "keys rotate", null, reason);
        const { activeKey, rewrapped, nextStep } = await rotateKeys(ctx, databaseUrl);
        return { master_key: activeKey, rewrapped: String(rewrapped), next_step: nextStep };
      };
    },
  },
};
