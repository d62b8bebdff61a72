import { createInterface } from "node:readline";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { CASE_NUMBER } from "@alcove/contract/cases";
import { PLAN } from "@alcove/contract/limits";
import type { AppContext } from "../../platform/context.ts";
import { fieldMessage } from "../../platform/i18n.ts";
import type { Config } from "../../config.ts";

/** The message is shown with the help page. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The failure was expected. The message is shown alone. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

export type Fields = Readonly<Record<string, string | null>>;

/** Figures of `stats` are numbers; elsewhere numbers are text. */
type Value = string | number | null;
type FlatOutput = Readonly<Record<string, Value>>;

export type Output = Readonly<Record<string, Value | readonly FlatOutput[]>>;

export type Lines = readonly string[];

/** `reason` goes into the operator log. */
type Run = (
  ctx: AppContext,
  reason: string | null,
  at: { readonly databaseUrl: string },
) => Promise<Output | readonly Output[] | Lines>;

export type FieldDescriptions = Readonly<Record<string, string>>;

export type Options = Readonly<Record<string, string | undefined>>;

export interface Subcommand {
  readonly usage: string;
  readonly summary: string;
  /** Names with descriptions; each option takes a value. */
  readonly options?: Readonly<Record<string, string>>;
  readonly fields: FieldDescriptions;
  readonly hasLongValues?: boolean;
  validate?(config: Config): void;
  /** @throws UsageError for invalid arguments */
  parse(words: readonly string[], values: Options): Run;
}

export type Group = Readonly<Record<string, Subcommand>>;

const COMMON_OPTIONS = {
  reason: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const satisfies ParseArgsOptionsConfig;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WIDTH = 66;

export interface Command {
  readonly run: Run;
  readonly reason: string | null;
  readonly isJson: boolean;
  readonly hasLongValues: boolean;
  validate(config: Config): void;
}

export function parseArguments(
  groups: Readonly<Record<string, Group>>,
  args: readonly string[],
): Command | null {
  const all = Object.values(groups).flatMap((group) => Object.values(group));
  const { values: options, positionals } = parse(args, all);
  if (options["help"] === true || args.length === 0) return null;

  const [group = "", ...rest] = positionals;
  const commands = Object.hasOwn(groups, group) ? groups[group]! : {};
  const isNamed = rest[0] !== undefined && Object.hasOwn(commands, rest[0]);
  const name = isNamed ? rest[0]! : "";
  const words = isNamed ? rest.slice(1) : rest;
  const command = Object.hasOwn(commands, name) ? commands[name]! : null;
  if (!command) throw new UsageError(`Unknown command: ${positionals.join(" ")}`);

  const { reason, json, help: _, ...values } = parse(args, all).values;
  for (const option of Object.keys(values)) {
    if (!command.options?.[option])
      throw new UsageError(`${group} ${name}`.trimEnd() + ` does not take --${option}.`);
  }
  return {
    run: command.parse(words, values as Options),
    reason: typeof reason === "string" ? reason : null,
    isJson: json === true,
    hasLongValues: command.hasLongValues === true,
    validate: (config) => command.validate?.(config),
  };
}

function parse(args: readonly string[], commands: readonly Subcommand[]) {
  const own = commands.flatMap(({ options = {} }) => Object.keys(options));
  const options: ParseArgsOptionsConfig = {
    ...Object.fromEntries(own.map((option) => [option, { type: "string" } as const])),
    ...COMMON_OPTIONS,
  };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export function renderHelp(groups: Readonly<Record<string, Group>>): string {
  const commands = Object.entries(groups).flatMap(([group, some]) =>
    Object.entries(some).map(([name, command]) => ({
      line: [group, name, command.usage].filter(Boolean).join(" "),
      command,
    })),
  );
  const lines = commands.map(({ line, command }) =>
    `${`  npm run operator -- ${line}`.padEnd(WIDTH)}  ${command.summary}`.trimEnd(),
  );
  const options = new Map(commands.flatMap(({ command }) => Object.entries(command.options ?? {})));
  const optionLines = [...options].map(([option, summary]) => `  --${option}`.padEnd(20) + summary);
  return `The operator's command line. It uses the server's environment variables, and works whether or not
the server is running.

${lines.join("\n")}

${optionLines.join("\n")}
  --reason TEXT     recorded in the operator log
  --json            prints JSON
  --help            prints this page; \`npm run operator -- orders --help\` also describes the output of orders
`;
}

export function describeFields(name: string, group: Group): string {
  const byOutput = Map.groupBy(Object.entries(group), ([, { fields }]) => fields);
  const parts = [...byOutput].map(([fields, commands]) => {
    const lines = Object.entries(fields).map(
      ([field, description]) => `  ${field}`.padEnd(34) + `  ${description}`,
    );
    const names = commands.map(([command]) => `${name} ${command}`.trimEnd());
    return `${names.join(", ")}:\n${lines.join("\n")}\n`;
  });
  return `
Output with and without --json; "-" or null is an empty value. Times are ISO 8601 in UTC, numbers are text.

${parts.join("\n")}`;
}

export function singleArgument(words: readonly string[], message: string): string {
  const [word] = words;
  if (!word || words.length > 1) throw new UsageError(message);
  return word;
}

export function noArguments(words: readonly string[], message: string): void {
  if (words.length > 0) throw new UsageError(message);
}

export function required<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new OperatorError(message);
  return value;
}

/** @param requestId of a request that waits for another operator */
export function throwIfWaiting(requestId: string | null): void {
  if (requestId !== null)
    throw new OperatorError(
      `Another operator must agree first: in the console under Approvals, or \`approvals approve ${requestId}\`.`,
    );
}

/** An argument would be in the process list and in the shell's history. */
export async function readLine(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(prompt);
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return "";
}

export function parseCount(option: string, value: string | undefined, max: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,7}$/.test(value) && Number(value) <= max) return Number(value);
  throw new UsageError(`--${option} must be a whole number from 0 to ${max}.`);
}

/** The option of looks at a member. */
export const CASE_OPTION = { case: "the case for which you look; the member reads the look with it" };

export function parseCase({ case: number }: Options): number | null {
  if (number === undefined) return null;
  if (CASE_NUMBER.test(number)) return Number(number);
  throw new UsageError("--case takes the number of a case, which has twelve digits.");
}

export function parseUuid(value: string, message: string): string {
  if (!UUID.test(value)) throw new UsageError(message);
  return value.toLowerCase();
}

export function parsePlan(values: Options, message: string): { year: number; month: number } {
  const year = parseCount("year", values["year"], 100);
  const month = parseCount("month", values["month"], 1_200);
  if (year + month === 0) throw new UsageError(message);
  if (year * 12 + month > PLAN.maxMonths) throw new UsageError(fieldMessage("en", "plan_too_long"));
  return { year, month };
}
