import { setTimeout } from "node:timers/promises";
import { SECOND_MS } from "../platform/clock.ts";
import type { RunningServer } from "../server.ts";
import { Acting } from "./behaviour.ts";
import { castOf } from "./sample-profiles.ts";
import { gatherPlayers, type Player } from "./accounts.ts";
import { Settling } from "./placement.ts";

interface Wishes {
  size?: number;
  everyMs?: number;
}

/**
 * Fills the service with invented members who live around the visitors, like back and answer; the answered function
 * ends them. They come in the background, over the first minute of the first start.
 */
export async function startDemo(
  { ctx }: Pick<RunningServer, "ctx">,
  { size = 300, everyMs = SECOND_MS }: Wishes = {},
): Promise<() => Promise<void>> {
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const failed = (error: unknown) => ctx.log.error({ err: error }, "the demo failed");
  const players = new Map<number, Player>();
  const settling = new Settling(ctx, players);
  const acting = new Acting(ctx, players);
  ctx.domainEvents.on("member_moved", (tx, visitor) => settling.welcome(tx, visitor));

  const join = (player: Player) => void players.set(player.me.memberId, player);
  const works = [
    gatherPlayers(ctx, castOf(size), { join, isOver }).catch(failed),
    again(() => settling.settle(isOver)),
    again(() => acting.act(isOver)),
  ];

  async function again(work: () => Promise<void>): Promise<void> {
    while (!isOver()) {
      await work().catch(failed);
      await setTimeout(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  return async () => {
    over.abort();
    await Promise.all(works);
  };
}
