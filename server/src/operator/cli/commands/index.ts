import { approvals } from "./approvals.ts";
import { backup, payments, restore } from "../backup/backup-commands.ts";
import { describeFields, type Group, renderHelp, parseArguments } from "../command-line.ts";
import { announceCommand } from "./announce.ts";
import { cluster } from "../cluster/cluster-commands.ts";
import { ageChecks } from "./age-checks.ts";
import { corrections } from "./corrections.ts";
import { evidence } from "./evidence.ts";
import { coupons } from "./coupons.ts";
import { help } from "./help.ts";
import { keys } from "../keys/key-commands.ts";
import { log } from "../operator-log.ts";
import { migrate } from "./migrate.ts";
import { members } from "./members.ts";
import { notices } from "./notices.ts";
import { operators } from "./operators.ts";
import { orders } from "./orders.ts";
import { payouts } from "./payouts.ts";
import { pictures } from "./pictures.ts";
import { cases } from "./cases.ts";
import { receipt } from "./receipt.ts";
import { stats } from "./stats.ts";

import { transparency } from "./transparency.ts";

export const groups: Readonly<Record<string, Group>> = {
  members,
  cases,
  evidence,
  notices,
  pictures,
  help,
  "age-checks": ageChecks,
  corrections,
  coupons,
  orders,
  payouts,
  payments,
  stats,
  announce: announceCommand,
  operators,
  approvals,
  log,
  transparency,
  receipt,
  keys,
  backup,
  restore,
  migrate,
  cluster,
};

export const HELP = renderHelp(groups);

export function helpFor([name = ""]: readonly string[]): string {
  if (!Object.hasOwn(groups, name)) return HELP;
  const group = groups[name]!;
  return renderHelp({ [name]: group }) + describeFields(name, group);
}

export const parseCommand = (args: readonly string[]) => parseArguments(groups, args);
