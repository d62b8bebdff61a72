import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { AppContext } from "../platform/context.ts";
import type { Config } from "../config.ts";

/** The command line cannot be understood; the message says what to type instead. */
export class UsageProblem extends Error {
  override name = "UsageProblem";
}

/** A command that cannot be done, told in plain words. */
export class OperatorProblem extends Error {
  override name = "OperatorProblem";
}

/** What there is to tell of one thing, name by name. */
export type Facts = Readonly<Record<string, string | null>>;

/** The same with lists of what belongs to it. */
export type Told = Readonly<Record<string, string | null | readonly Facts[]>>;

/** Does what was typed. `reason` goes into the operator's log. */
type Run = (
  ctx: AppContext,
  reason: string | null,
  at: { readonly databaseUrl: string },
) => Promise<Told | Facts[]>;

/** What each name in an answer means, in the order in which they come; `list.name` is one in a list. */
export type Meanings = Readonly<Record<string, string>>;

/** The values of an act's own options that were given. */
export type Values = Readonly<Record<string, string | undefined>>;

/** One thing that the operator can do. */
export interface Act {
  /** What follows the names of group and act, as the page of help writes it. */
  readonly takes: string;
  /** When to do it, or what comes of it. */
  readonly says: string;
  /** Options of this act alone, each with a value, and what the page of help says of them. */
  readonly options?: Readonly<Record<string, string>>;
  /** What it answers, in lines, tables and JSON alike. */
  readonly tells: Meanings;
  /** Whether its lists have long values, which no table holds. */
  readonly isWordy?: boolean;
  /** Refuses, before anything is opened or made, what cannot be done. */
  before?(config: Config): void;
  /** Reads what follows, or throws a `UsageProblem`. */
  read(words: readonly string[], values: Values): Run;
}

/** By name; the act without one is the group's own. */
export type Group = Readonly<Record<string, Act>>;

const COMMON = {
  reason: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const satisfies ParseArgsOptionsConfig;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WIDTH = 66;

/** What was typed. */
export interface Command {
  readonly run: Run;
  readonly reason: string | null;
  readonly isJson: boolean;
  /** Told thing by thing, for its values are long. */
  readonly isWordy: boolean;
  before(config: Config): void;
}

/** Reads arguments as one of the acts of the groups; null when help is wanted. */
export function readArguments(
  groups: Readonly<Record<string, Group>>,
  args: readonly string[],
): Command | null {
  const all = Object.values(groups).flatMap((group) => Object.values(group));
  const { values: wishes, positionals } = parse(args, all);
  if (wishes["help"] === true || args.length === 0) return null;

  const [group = "", ...rest] = positionals;
  const acts = Object.hasOwn(groups, group) ? groups[group]! : {};
  const isNamed = rest[0] !== undefined && Object.hasOwn(acts, rest[0]);
  const name = isNamed ? rest[0]! : "";
  const words = isNamed ? rest.slice(1) : rest;
  const act = Object.hasOwn(acts, name) ? acts[name]! : null;
  if (!act) throw new UsageProblem(`Unknown command: ${positionals.join(" ")}`);

  const { reason, json, help: _, ...values } = parse(args, all).values;
  for (const option of Object.keys(values)) {
    if (!act.options?.[option])
      throw new UsageProblem(`${group} ${name}`.trimEnd() + ` does not take --${option}.`);
  }
  return {
    run: act.read(words, values as Values),
    reason: typeof reason === "string" ? reason : null,
    isJson: json === true,
    isWordy: act.isWordy === true,
    before: (config) => act.before?.(config),
  };
}

function parse(args: readonly string[], acts: readonly Act[]) {
  const own = acts.flatMap(({ options = {} }) => Object.keys(options));
  const options: ParseArgsOptionsConfig = {
    ...Object.fromEntries(own.map((option) => [option, { type: "string" } as const])),
    ...COMMON,
  };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageProblem((error as Error).message);
  }
}

/** The page of help, drawn from the acts. */
export function helpOf(groups: Readonly<Record<string, Group>>): string {
  const acts = Object.entries(groups).flatMap(([group, some]) =>
    Object.entries(some).map(([name, act]) => ({
      line: [group, name, act.takes].filter(Boolean).join(" "),
      act,
    })),
  );
  const lines = acts.map(({ line, act }) =>
    `${`  npm run operator -- ${line}`.padEnd(WIDTH)}  ${act.says}`.trimEnd(),
  );
  const options = new Map(acts.flatMap(({ act }) => Object.entries(act.options ?? {})));
  const told = [...options].map(([option, says]) => `  --${option}`.padEnd(20) + says);
  return `The operator's command line. It uses the same environment variables as the server, and works
while the server runs and while it does not.

${lines.join("\n")}

${told.join("\n")}
  --reason TEXT     kept with the act in the operator's log
  --json            answers as JSON
  --help            this page; \`npm run operator -- orders --help\` also has what the answers of orders mean
`;
}

/** What the acts of a group answer; those that answer the same together. */
export function answersOf(name: string, group: Group): string {
  const same = Map.groupBy(Object.entries(group), ([, { tells }]) => tells);
  const parts = [...same].map(([tells, acts]) => {
    const lines = Object.entries(tells).map(([field, means]) => `  ${field}`.padEnd(34) + `  ${means}`);
    const names = acts.map(([act]) => `${name} ${act}`.trimEnd());
    return `${names.join(", ")}:\n${lines.join("\n")}\n`;
  });
  return `
What is answered, with and without --json; "-" or null is nothing. Moments are ISO 8601 in UTC, numbers are text.

${parts.join("\n")}`;
}

/** The one word that an act takes. */
export function oneWord(words: readonly string[], problem: string): string {
  const [word] = words;
  if (!word || words.length > 1) throw new UsageProblem(problem);
  return word;
}

export function noWords(words: readonly string[], problem: string): void {
  if (words.length > 0) throw new UsageProblem(problem);
}

/** A whole number; 0 when the option was not given. */
export function count(option: string, value: string | undefined, max: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,7}$/.test(value) && Number(value) <= max) return Number(value);
  throw new UsageProblem(`--${option} must be a whole number from 0 to ${max}.`);
}

/** A UUID in small letters. */
export function uuid(value: string, problem: string): string {
  if (!UUID.test(value)) throw new UsageProblem(problem);
  return value.toLowerCase();
}

/** Years and months, at least one of them. */
export function plan(values: Values, problem: string): { year: number; month: number } {
  const year = count("year", values["year"], 100);
  const month = count("month", values["month"], 1_200);
  if (year + month === 0) throw new UsageProblem(problem);
  return { year, month };
}
