import { backup, payments, restore } from "./backup.ts";
import { type Group, helpOf, readArguments } from "./command-line.ts";
import { coupons } from "./coupons.ts";
import { members } from "./members.ts";
import { orders } from "./orders.ts";
import { payouts } from "./payouts.ts";
import { reports } from "./reports.ts";

/** Everything that the operator can do, by group and act. */
const groups: Readonly<Record<string, Group>> = {
  members,
  reports,
  coupons,
  orders,
  payouts,
  payments,
  backup,
  restore,
};

export const HELP = helpOf(groups);

/** Reads the arguments; null when help is wanted. */
export const readCommand = (args: readonly string[]) => readArguments(groups, args);
