import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import * as rows from "./blocks.sql.ts";

export async function partPair(tx: Tx, ctx: AppContext, a: MemberRef, b: MemberRef): Promise<void> {
  if (ctx.config.passDays === 0) return;
  const at = floorTo(ctx.clock.now(), DAY_MS);
  const edges = [
    { owner: a.memberId, other: b.memberId },
    { owner: b.memberId, other: a.memberId },
  ];
  for (const edge of edges.toSorted((one, other) => one.owner - other.owner))
    await rows.insertEdge(tx, { ...edge, dir: "u", at });
}

export async function endPartings({ db, clock, config }: AppContext): Promise<void> {
  await rows.deletePartingsBefore(
    db,
    floorTo(new Date(clock.now().getTime() - config.passDays * DAY_MS), DAY_MS),
  );
}
