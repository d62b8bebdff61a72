import { setTimeout } from "node:timers/promises";
import { SECOND_MS } from "../platform/clock.ts";
import type { RunningServer } from "../server.ts";
import { ensureSampleAccounts, type SampleAccount } from "./accounts.ts";
import { SampleBehaviour } from "./behaviour.ts";
import { Placement } from "./placement.ts";
import { createSampleProfiles } from "./sample-profiles.ts";

interface Options {
  size?: number;
  everyMs?: number;
}

/** Creates members in the background, within about a minute. The returned function stops the demo. */
export async function startDemo(
  { ctx }: Pick<RunningServer, "ctx">,
  { size = 300, everyMs = SECOND_MS }: Options = {},
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const isStopped = () => stop.signal.aborted;
  const logError = (error: unknown) => ctx.log.error({ err: error }, "demo failed");
  const accounts = new Map<number, SampleAccount>();
  const placement = new Placement(ctx, accounts);
  const behaviour = new SampleBehaviour(ctx, accounts);
  ctx.domainEvents.on("member_moved", (tx, visitor) => placement.placeAround(tx, visitor));

  const onReady = (account: SampleAccount) => void accounts.set(account.me.memberId, account);
  const tasks = [
    ensureSampleAccounts(ctx, createSampleProfiles(size), { onReady, isStopped }).catch(logError),
    repeat(() => placement.placeAll(isStopped)),
    repeat(() => behaviour.run(isStopped)),
  ];

  async function repeat(task: () => Promise<void>): Promise<void> {
    while (!isStopped()) {
      await task().catch(logError);
      await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  return async () => {
    stop.abort();
    await Promise.all(tasks);
  };
}
