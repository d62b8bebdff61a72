import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { refreshTokens } from "@alcove/contract/accounts";
import { likeUser } from "@alcove/contract/discovery";
import { signUp, type SignedUpMember } from "@alcove/test-services/client";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { startNats } from "@alcove/test-services/nats";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startServer } from "@alcove/test-services/server";
import type { Pair } from "@alcove/test-services/chats";
import { soak } from "@alcove/test-services/soak";
import { Report } from "./results.ts";
import { spread } from "./stats.ts";
import { databaseIn } from "./seed.ts";

/**
 * Devices chat through two servers that are killed repeatedly; every sent message must be stored and displayed once, in
 * one order. `npm run soak` runs 1,000 sockets for ten minutes.
 */

const DEVICES_EACH = 5;

const { values } = parseArgs({
  options: {
    sockets: { type: "string", default: "1000" },
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    bus: { type: "string", default: "nats" },
    save: { type: "boolean", default: false },
  },
});

async function createPairs(
  url: string,
  mailbox: Mailbox,
  count: number,
): Promise<[SignedUpMember, SignedUpMember][]> {
  const pairs: [SignedUpMember, SignedUpMember][] = [];
  for (let i = 0; i < count; i++) {
    const her = await signUp(url, mailbox, signUpForm(`her${i}`));
    const him = await signUp(url, mailbox, signUpForm(`him${i}`, { sex: "male" }));
    await her.call(likeUser, { likedId: him.userId });
    await him.call(likeUser, { likedId: her.userId });
    pairs.push([her, him]);
  }
  return pairs;
}

/** Renews access for 15 minutes, because sign-up takes long. */
async function fresh(member: SignedUpMember) {
  const { access } = await member.call(refreshTokens, { refresh: member.refresh });
  return { userId: member.userId, access };
}

const dataDir = await mkdtemp(join(tmpdir(), "alcove-soak-"));
const mailbox = await startMailbox();
const nats = values.bus === "nats" ? await startNats() : null;
const variables = {
  DATA_DIR: dataDir,
  BOT_CHECK: "off",
  RATE_LIMITS: "off",
  FACE_DETECTION: "off",
  LOG_LEVEL: "error",
  SMTP_URL: mailbox.url,
  ...(nats ? { NATS_URL: nats.url } : {}),
};
// Owns the database and is never killed; the two servers under test connect to it.
const keeper = await startServer(variables);
let hasPassed = false;
try {
  const count = Math.max(1, Math.round(Number(values.sockets) / DEVICES_EACH / 2));
  console.log(`${count} pairs sign up; bus ${values.bus}, seed ${values.seed}`);
  const members = await createPairs(keeper.url, mailbox, count);
  const pairs: Pair[] = [];
  for (const [her, him] of members) pairs.push([await fresh(her), await fresh(him)]);

  const figures = await soak({
    pairs,
    devicesEach: DEVICES_EACH,
    seconds: Number(values.minutes) * 60,
    pauseMs: [10_000, 60_000],
    killEveryMs: [3_000, 12_000],
    seed: Number(values.seed),
    start: (port = "0") => startServer({ ...variables, DATABASE_URL: databaseIn(dataDir), PORT: port }),
    log: console.log,
  });
  const { deliveriesMs, problems, ...counts } = figures;
  const results = new Report("soak", values.save);
  results.table(
    "counts",
    ["what", "times"],
    Object.entries(counts).map(([name, times]) => [name, String(times)]),
  );
  results.table("from writing to showing", ["p50 ms", "p95 ms", "p99 ms"], [spread(deliveriesMs)]);
  results.table(
    "problems",
    ["found"],
    problems.map((problem) => [problem]),
  );
  results.end(`${values.sockets} sockets, ${values.minutes} minutes, bus ${values.bus}, seed ${values.seed}`);
  hasPassed = problems.length === 0;
  console.log(hasPassed ? "sent = stored = displayed, in one order, none twice" : "FAILED");
} finally {
  await keeper.stop();
  await mailbox.close();
  await nats?.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
process.exit(hasPassed ? 0 : 1);
