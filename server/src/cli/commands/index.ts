import { backup, payments, restore } from "../backup/backup-commands.ts";
import { answersOf, type Group, helpOf, readArguments } from "../command-line.ts";
import { coupons } from "./coupons.ts";
import { log } from "../operator-log.ts";
import { members } from "./members.ts";
import { orders } from "./orders.ts";
import { payouts } from "./payouts.ts";
import { reports } from "./reports.ts";

/** Everything that the operator can do, by group and act. */
export const groups: Readonly<Record<string, Group>> = {
  members,
  reports,
  coupons,
  orders,
  payouts,
  payments,
  log,
  backup,
  restore,
};

export const HELP = helpOf(groups);

/** The page of help, or that of the one group that was named, with what its acts answer. */
export function helpFor([name = ""]: readonly string[]): string {
  if (!Object.hasOwn(groups, name)) return HELP;
  const group = groups[name]!;
  return helpOf({ [name]: group }) + answersOf(name, group);
}

/** Reads the arguments; null when help is wanted. */
export const readCommand = (args: readonly string[]) => readArguments(groups, args);
