import { readFile } from "node:fs/promises";
import { logOperatorAction, verifyReceipt } from "../../../accounts/index.ts";
import { type Group, OperatorError, required, singleArgument } from "../command-line.ts";

const USAGE = "receipt verify takes the FILE with a receipt of a deletion.";

export const receipt: Group = {
  verify: {
    usage: "FILE",
    summary: "checks the signature of a receipt of a deletion, and whether its key is on the list",
    hasLongValues: true,
    fields: {
      text: "the signed text",
      key: "the number of the destroyed key",
      destroyed_on: "day on which this server destroyed it",
    },
    parse: (words) => {
      const path = singleArgument(words, USAGE);
      return async (ctx, reason) => {
        const line = await readFile(path, "utf8").catch((error: Error) => {
          throw new OperatorError(`${path} cannot be read: ${error.message}`);
        });
        await logOperatorAction(ctx, "receipt verify", null, reason);
        const { text, number, destroyedOn } = required(
          await verifyReceipt(ctx, line),
          "This is no receipt of this server, or it was changed.",
        );
        if (destroyedOn === null) throw new OperatorError(`The key ${number} is not on the list.`);
        return { text, key: number, destroyed_on: destroyedOn };
      };
    },
  },
};
