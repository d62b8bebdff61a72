import { readFile } from "node:fs/promises";
import { CASE_NUMBER } from "@alcove/contract/cases";
import { isGenuineEvidence } from "../../../cases/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import { readEvidenceFile } from "../../cases.ts";
import { type Group, OperatorError, required, singleArgument, UsageError } from "../command-line.ts";
import { writeNewFile } from "../new-file.ts";

const USAGE = "The number of a report or case has twelve digits.";

function parseNumber(words: readonly string[]): number {
  const word = singleArgument(words, USAGE);
  if (!CASE_NUMBER.test(word)) throw new UsageError(USAGE);
  return Number(word);
}

async function read(ctx: AppContext, number: number, reason: string | null): Promise<string> {
  const file = await readEvidenceFile(ctx, { operatorId: null, reason }, number);
  return required(file, `There is no chat under the number ${number}.`);
}

export const evidence: Group = {
  show: {
    usage: "NUMBER",
    summary: "what a threatening member wrote, by the number of a report, or all of a case; for the police",
    fields: {},
    parse: (words) => {
      const number = parseNumber(words);
      return async (ctx, reason) => (await read(ctx, number, reason)).trimEnd().split("\n");
    },
  },
  export: {
    usage: "NUMBER --to FILE",
    summary: "writes it to a new file (text, ids, UTC times), signed with a key that only this service has",
    options: { to: "a new file" },
    fields: { number: "the report or case", path: "the new file, readable by its owner only" },
    parse: (words, { to }) => {
      const number = parseNumber(words);
      if (!to) throw new UsageError("evidence export needs --to FILE.");
      return async (ctx, reason) => {
        await writeNewFile(to, await read(ctx, number, reason));
        return { number: String(number), path: to };
      };
    },
  },
  verify: {
    usage: "FILE",
    summary: "checks that this service made the file and that nobody changed it",
    fields: { path: "the file", result: "`genuine`; a changed or foreign file is an error" },
    parse: (words) => {
      const path = singleArgument(words, "evidence verify takes one FILE.");
      return async (ctx) => {
        const file = await readFile(path, "utf8").catch((error: Error) => {
          throw new OperatorError(`${path} cannot be read: ${error.message}`);
        });
        if (!isGenuineEvidence(ctx, file))
          throw new OperatorError(`${path} is not genuine: changed, or not from this service.`);
        return { path, result: "genuine" };
      };
    },
  },
};
