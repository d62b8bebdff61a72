import { text as readText } from "node:stream/consumers";
import { CASE_NUMBER } from "@alcove/contract/cases";
import { CONTACT_MAX } from "@alcove/contract/limits";
import { objectToNotice } from "../../cases.ts";
import { type Group, OperatorError, singleArgument, UsageError } from "../command-line.ts";

const USAGE = "notices appeal takes the number of a notice, and reads the objection from standard input.";

export const notices: Group = {
  appeal: {
    usage: "NUMBER",
    summary: "reads an objection that came by email from standard input, and opens the case again",
    fields: { number: "the notice; its case is open again" },
    parse: (words) => {
      const number = singleArgument(words, USAGE);
      if (!CASE_NUMBER.test(number)) throw new UsageError(USAGE);
      return async (ctx, reason) => {
        if (process.stdin.isTTY) process.stderr.write("Objection, then Ctrl+D: ");
        const text = (await readText(process.stdin)).trim();
        if (text === "" || text.length > CONTACT_MAX)
          throw new OperatorError(`An objection has 1 to ${CONTACT_MAX} characters.`);
        if (!(await objectToNotice(ctx, { operatorId: null, reason }, Number(number), text)))
          throw new OperatorError(`${number} has no decision, or an objection already.`);
        return { number };
      };
    },
  },
};
