import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { Chats } from "@alcove/test-services/chats";
import { pause, split } from "@alcove/test-services/waiting";
import { type Deployment, openDeployment } from "./deployment.ts";
import { dependencyFaults, type Fault, serverFaults } from "./faults.ts";
import { Files } from "./files.ts";
import { Likes } from "./likes.ts";
import { type Members, type Sizes, signUpAll } from "./members.ts";
import { Purchases } from "./purchases.ts";
import { Recovery } from "./recovery.ts";
import { Tally } from "./tally.ts";
import { Transfers } from "./transfers.ts";

type Range = readonly [min: number, max: number];

export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly sizes: Sizes;
  readonly paidLikesPerDay: number;
  readonly pauseMs: Range;
  /** From a recovery to the next failure. */
  readonly calmMs: Range;
  /** The time limit for jobs after the last failure. */
  readonly settleMs: number;
  /** Waits for jobs that run minutes later: they find buyers who left, and transfers whose webhook was lost. */
  readonly areJobsAwaited: boolean;
  log?(line: string): void;
}

export interface ChaosFigures {
  readonly faults: ReadonlyMap<string, number>;
  readonly requests: readonly string[][];
  readonly errors: ReadonlyMap<string, number>;
  readonly recoveriesMs: ReadonlyMap<string, readonly number[]>;
  readonly messages: number;
  readonly files: number;
  readonly orders: number;
  readonly settledMs: number;
  readonly problems: readonly string[];
}

const FREE_CARDS = 1;

/**
 * Breaks parts of a deployment of two servers while members chat, like, send files, buy and transfer. Afterwards
 * compares all acknowledged results with those of the API and with the ledger of the fake PayPal.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosFigures> {
  const random = mersenne(options.seed);
  const deployment = await openDeployment({
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "fatal",
    BROKERAGE_HOLD_DAYS: "0",
    FREE_CARDS_PER_DAY: String(FREE_CARDS),
    PAID_LIKES_PER_DAY: String(options.paidLikesPerDay),
    DAY_TIME_ZONE: noonNow(),
  });
  try {
    const tally = new Tally();
    options.log?.("members sign up");
    const members = await signUpAll(deployment, options.sizes, tally, random);
    return await breakAndCheck(options, deployment, members, tally, random);
  } finally {
    await deployment.close();
  }
}

async function breakAndCheck(
  options: ChaosOptions,
  deployment: Deployment,
  members: Members,
  tally: Tally,
  random: RandomGenerator,
): Promise<ChaosFigures> {
  const { pauseMs, log } = options;
  const activities = planActivities(options, deployment, members, random);
  const { chats, files, purchases, transfers, likes } = activities;
  const recovery = new Recovery(deployment, members.prober, files);
  for (const liker of members.paidLikers) await purchases.buy(liker, "captured");
  for (const member of members.all) await member.renew();
  await chats.connect();

  log?.(`${members.all.length} members; faults begin`);
  const end = performance.now() + options.seconds * 1_000;
  const faults = new Map<string, number>();
  const lane = (all: readonly Fault[]) =>
    breakUntil(end, all, deployment, recovery, options, split(random), faults);
  await Promise.all([
    chats.writeUntil(end),
    files.run(end, pauseMs),
    purchases.run(end, pauseMs, options.areJobsAwaited),
    transfers.run(end, pauseMs),
    likes.run(end),
    lane(serverFaults(deployment)),
    lane(dependencyFaults(deployment, split(random))),
  ]);

  log?.("faults are over; checking");
  const start = performance.now();
  for (const member of members.all) await member.renew();
  const written = await chats.finish();
  const money = await checkMoney(options, deployment, members, activities);
  const settledMs = performance.now() - start;
  const problems = [
    ...written.problems,
    ...(await files.check(deployment.urls[0]!)),
    ...(await likes.check()),
    ...money,
    ...recovery.problems,
    ...deployment.crashes,
  ];
  return {
    faults,
    requests: tally.rows(),
    errors: tally.errors,
    recoveriesMs: recovery.durationsMs,
    messages: written.sent,
    files: files.count,
    orders: purchases.count,
    settledMs,
    problems,
  };
}

/** The work of the members. */
interface Activities {
  readonly chats: Chats;
  readonly files: Files;
  readonly purchases: Purchases;
  readonly transfers: Transfers;
  readonly likes: Likes;
}

function planActivities(
  { pauseMs, paidLikesPerDay }: ChaosOptions,
  deployment: Deployment,
  { chatPairs, filePairs, freeLikers, paidLikers, buyers, inviters, all }: Members,
  random: RandomGenerator,
): Activities {
  const free = { quota: FREE_CARDS, beyond: "upgrade_required" } as const;
  const paid = { quota: paidLikesPerDay, beyond: "likes_used_up" } as const;
  const likers = [
    ...freeLikers.map((member) => ({ member, ...free })),
    ...paidLikers.map((member) => ({ member, ...paid })),
  ];
  const ids = all.map(({ userId }) => userId);
  return {
    chats: new Chats({ pairs: chatPairs, devicesEach: 2, pauseMs, servers: deployment.urls, random }),
    files: new Files(filePairs, random),
    purchases: new Purchases([...buyers], deployment, random),
    transfers: new Transfers(inviters, deployment, random),
    likes: new Likes(likers, ids, random),
  };
}

/** Returns the differences to PayPal's ledger and the emails that remain when the jobs had time to end them. */
async function checkMoney(
  { settleMs, areJobsAwaited, log }: ChaosOptions,
  deployment: Deployment,
  members: Members,
  { purchases, transfers }: Activities,
): Promise<string[]> {
  const start = performance.now();
  const check = async () => [
    ...(await purchases.check()),
    ...(await transfers.check(purchases, areJobsAwaited)),
    ...(await checkEmails(deployment, members, purchases)),
  ];
  let differences = await check();
  while (differences.length > 0 && performance.now() - start < settleMs) {
    const before = differences.length;
    await pause(Math.min(5_000, settleMs / 4));
    differences = await check();
    if (differences.length !== before) log?.(`${differences.length} differences wait for jobs`);
  }
  return differences;
}

/** One failure at a time: begins it, ends it, and waits until the part works again. */
async function breakUntil(
  end: number,
  faults: readonly Fault[],
  { nodes }: Deployment,
  recovery: Recovery,
  { calmMs, log }: ChaosOptions,
  random: RandomGenerator,
  counts: Map<string, number>,
): Promise<void> {
  const byPart = [...Map.groupBy(faults, ({ part }) => part).values()];
  for (;;) {
    await pause(uniformInt(random, ...calmMs));
    if (performance.now() > end) return;
    const fault = pick(random, pick(random, byPart));
    const name = `${fault.part.replace(/ \d$/, "")}: ${fault.name}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    log?.(`${fault.part}: ${fault.name}`);
    const [, number] = /server (\d)$/.exec(fault.part) ?? [];
    const node = number === undefined ? null : nodes[Number(number) - 1]!;
    if (node) node.isFaulted = true;
    await fault.begin();
    await pause(uniformInt(random, ...fault.ms));
    await fault.end();
    await recovery.measure(fault.part);
    if (node) node.isFaulted = false;
  }
}

function pick<T>(random: RandomGenerator, all: readonly T[]): T {
  return all[uniformInt(random, 0, all.length - 1)]!;
}

/** Each receipt and each email about a transfer arrived, under one message id however often it was sent. */
async function checkEmails(
  { mailbox }: Deployment,
  members: Members,
  purchases: Purchases,
): Promise<string[]> {
  const countEmails = (address: string) =>
    new Set(mailbox.emails(address).map(({ messageId }) => messageId)).size;
  return members.buyers.flatMap((buyer) => {
    const expected = 1 + purchases.paidBy(buyer).length; // and the code of the sign-up
    const count = countEmails(buyer.email);
    return count === expected ? [] : [`${buyer.userId} got ${count} emails, not ${expected}`];
  });
}

/** A time zone in which no day ends during the run, because quotas are per day. */
function noonNow(): string {
  const hours = 12 - new Date().getUTCHours();
  if (hours === 0) return "UTC";
  return hours > 0 ? `Etc/GMT-${hours}` : `Etc/GMT+${-hours}`;
}
