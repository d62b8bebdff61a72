import { rm, writeFile } from "node:fs/promises";
import { ageCheckOutcomes } from "@alcove/contract/console";
import type { AppContext } from "../../../platform/context.ts";
import { decideCheck, listChecks, openCheck } from "../../age-checks.ts";
import type { Actor } from "../../members.ts";
import {
  type FieldDescriptions,
  type Group,
  noArguments,
  OperatorError,
  parseUuid,
  readLine,
  required,
  singleArgument,
  UsageError,
} from "../command-line.ts";

type Outcome = (typeof ageCheckOutcomes)[number];
type Decided = Record<"id" | "outcome", string>;

const DECIDED: FieldDescriptions = { id: "the age check", outcome: "the decision" };
const USAGE = `age-checks decide takes the ID of an age check with --to FILE, or --outcome ${ageCheckOutcomes.join("|")}.`;

const byCommand = (reason: string | null): Actor => ({ operatorId: null, reason });
const isOutcome = (text: string): text is Outcome => (ageCheckOutcomes as readonly string[]).includes(text);

/** The picture is in the file only until the decision. Never replaces a file. */
async function askForOutcome(ctx: AppContext, by: Actor, id: string, to: string): Promise<Outcome> {
  const { userId, dateOfBirth, jpeg } = required(await openCheck(ctx, by, id), `No age check ${id} waits.`);
  await writeFile(to, jpeg, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === "EEXIST" ? `${to} already exists.` : `${to} cannot be written: ${error.message}`,
    );
  });
  try {
    const question = `${userId}, born ${dateOfBirth}, document in ${to}. ${ageCheckOutcomes.join(", ")}? `;
    const outcome = await readLine(question);
    if (!isOutcome(outcome)) throw new OperatorError("Nothing was decided.");
    return outcome;
  } finally {
    await rm(to, { force: true });
  }
}

async function decide(
  ctx: AppContext,
  by: Actor,
  { id, to, outcome }: { id: string; to: string | null; outcome: Outcome | null },
): Promise<Decided> {
  const chosen = outcome ?? (await askForOutcome(ctx, by, id, to!));
  if (!(await decideCheck(ctx, by, id, chosen))) throw new OperatorError(`No age check ${id} waits.`);
  return { id, outcome: chosen };
}

export const ageChecks: Group = {
  list: {
    usage: "",
    summary: "pictures of documents that wait for a decision, oldest first, 100 rows",
    fields: { id: "the age check", on: "day on which it was sent" },
    parse: (words) => {
      noArguments(words, "age-checks list takes no arguments.");
      return async (ctx, reason) =>
        (await listChecks(ctx, byCommand(reason))).map(({ id, on }) => ({ id, on }));
    },
  },
  decide: {
    usage: "ID --to FILE",
    summary: "writes the picture to a new file, reads the decision from standard input, deletes the file",
    options: {
      to: "a new file",
      outcome: `${ageCheckOutcomes.join(", ")}: decides without a look at the picture`,
    },
    fields: DECIDED,
    parse: (words, { to, outcome }) => {
      const id = parseUuid(singleArgument(words, USAGE), USAGE);
      const chosen = outcome ?? null;
      if ((to === undefined) === (chosen === null)) throw new UsageError(USAGE);
      if (chosen !== null && !isOutcome(chosen)) throw new UsageError(USAGE);
      return (ctx, reason) => decide(ctx, byCommand(reason), { id, to: to ?? null, outcome: chosen });
    },
  },
};
