import { logOperatorAction } from "../../../accounts/index.ts";
import {
  addOperator,
  consoleOrigin,
  ENROLMENT_MINUTES,
  listOperators,
  removeOperator,
  resetOperator,
} from "../../index.ts";
import type { AppContext } from "../../../platform/context.ts";
import {
  type FieldDescriptions,
  type Fields,
  type Group,
  noArguments,
  OperatorError,
  required,
  singleArgument,
  type Subcommand,
  UsageError,
} from "../command-line.ts";

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]{0,39}$/u;

const LINK: FieldDescriptions = {
  name: "as shown in the console and its log",
  link: `opens the console once, to register a passkey, within ${ENROLMENT_MINUTES} minutes`,
};

/** The name is encrypted with the reason, because it names a person. */
async function log(ctx: AppContext, action: string, name: string, reason: string | null): Promise<void> {
  await logOperatorAction(ctx, `operators ${action}`, null, reason === null ? name : `${name}: ${reason}`);
}

/** Browsers send the part behind `#` to no server and write it into no log. */
function linkOf({ config }: AppContext, token: string): string {
  if (config.consolePort === null && config.consoleUrl === null)
    throw new OperatorError("CONSOLE_PORT is not set: set it for the server and this command.");
  return `${consoleOrigin(config)}/enrol#${token}`;
}

async function add(ctx: AppContext, name: string, reason: string | null): Promise<Fields> {
  linkOf(ctx, "");
  await log(ctx, "add", name, reason);
  const token = required(await addOperator(ctx, name), `There is an operator ${name} already.`);
  return { name, link: linkOf(ctx, token) };
}

async function reset(ctx: AppContext, name: string, reason: string | null): Promise<Fields> {
  linkOf(ctx, "");
  await log(ctx, "reset", name, reason);
  const token = required(await resetOperator(ctx, name), `There is no operator ${name}.`);
  return { name, link: linkOf(ctx, token) };
}

async function remove(ctx: AppContext, name: string, reason: string | null): Promise<Fields> {
  await log(ctx, "remove", name, reason);
  if (!(await removeOperator(ctx, name))) throw new OperatorError(`There is no operator ${name}.`);
  return { name };
}

function command(
  name: string,
  summary: string,
  fields: FieldDescriptions,
  run: (ctx: AppContext, operator: string, reason: string | null) => Promise<Fields>,
): Subcommand {
  return {
    usage: "NAME",
    summary,
    fields,
    parse: (words) => {
      const operator = singleArgument(words, `operators ${name} takes one NAME.`);
      if (!NAME.test(operator))
        throw new UsageError("A name is 1 to 40 letters, digits, spaces, dots, hyphens and underscores.");
      return async (ctx, reason) => ({ ...(await run(ctx, operator, reason)) });
    },
  };
}

export const operators: Group = {
  add: command("add", "adds an account of the console and prints its link", LINK, add),
  list: {
    usage: "",
    summary: "accounts of the console",
    fields: {
      name: LINK["name"]!,
      passkeys: "number of passkeys; 0 before the link is used",
      added_on: "day",
      removed_on: "day; a removed account stays in this list for a year",
    },
    parse: (words) => {
      noArguments(words, "operators list takes no arguments.");
      return async (ctx, reason) => {
        await logOperatorAction(ctx, "operators list", null, reason);
        return (await listOperators(ctx)).map(({ name, passkeys, addedOn, removedOn }) => ({
          name,
          passkeys: String(passkeys),
          added_on: addedOn,
          removed_on: removedOn,
        }));
      };
    },
  },
  remove: command("remove", "ends its passkeys and sessions", { name: LINK["name"]! }, remove),
  reset: command("reset", "ends its passkeys and sessions, and prints a new link", LINK, reset),
};
