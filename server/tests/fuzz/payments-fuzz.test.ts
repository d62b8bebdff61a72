import fc from "fast-check";
import { expect, test } from "vitest";
import { CLUSTER } from "../../src/testing/cluster-database.ts";
import { audit, settleEverything } from "./payments-fuzz/audit.ts";
import { runCases } from "./payments-fuzz/simulation.ts";
import { CERTAIN_CIRCLE, fuzzCase } from "./payments-fuzz/actions.ts";
import { openEnv } from "./payments-fuzz/env.ts";

/** `npm run test:long -- payments` runs thousands and prints the seed. */
const HISTORIES = Number(process.env["FUZZ_CASES"] ?? 20);
const SEED = Number(process.env["FUZZ_SEED"] ?? 2);
/** Cases per pair of servers, and concurrent cases. */
const PER_ENVIRONMENT = 200;
const AT_ONCE = 10;
/** Members per circle; earlier ones invite later ones. */
const PER_CIRCLE = 5;

async function inTurns<T, R>(list: readonly T[], atOnce: number, run: (one: T, index: number) => Promise<R>) {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < list.length; i = next++) results[i] = await run(list[i]!, i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

// Its crashes and its trail are triggers, which a cluster does not allow.
test.runIf(CLUSTER.length === 0)(
  "keeps memberships and ledgers equal to PayPal's ledger to the cent, and leaves no gain from a chargeback within the hold",
  async () => {
    const histories = fc.sample(fuzzCase, { numRuns: HISTORIES, seed: SEED });
    const sum = {
      paid: 0,
      paidByBank: 0,
      paidByInviter: 0,
      takenGifts: 0,
      withdrawn: 0,
      transfers: 0,
      returned: 0,
      reversedInHold: 0,
    };
    for (let from = 0; from < HISTORIES; from += PER_ENVIRONMENT) {
      const env = await openEnv();
      const some = histories.slice(from, from + PER_ENVIRONMENT);
      const circles = Array.from({ length: Math.ceil(some.length / PER_CIRCLE) }, (_, i) =>
        some.slice(i * PER_CIRCLE, (i + 1) * PER_CIRCLE),
      );
      // Others would move its clock.
      const all = await runCases(env, CERTAIN_CIRCLE, "certain");
      const others = await inTurns(circles, AT_ONCE / PER_CIRCLE, (circle, i) =>
        runCases(env, circle, `m${i}`),
      );
      all.push(...others.flat());
      await settleEverything(env, all);
      const counts = await audit(env, all);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
      await Promise.all(env.servers.map((server) => server.close()));
      await env.paypal.close();
    }
    // Cases without purchases, transfers and refunds would prove nothing.
    expect(sum.paid).toBeGreaterThan(HISTORIES / 5);
    expect(sum.transfers).toBeGreaterThan(HISTORIES / 50);
    expect(sum.returned).toBeGreaterThan(HISTORIES / 200);
    expect(sum.withdrawn).toBeGreaterThan(HISTORIES / 20);
    expect(sum.paidByBank).toBeGreaterThan(HISTORIES / 20);
    expect(sum.takenGifts).toBeGreaterThan(0);
    // Nor would cases without self-invitations and without chargebacks within the hold.
    expect(sum.paidByInviter).toBeGreaterThan(HISTORIES / 100);
    expect(sum.reversedInHold).toBeGreaterThan(0);
  },
  120_000 + HISTORIES * 3_000,
);
