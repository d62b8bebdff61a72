import { sql } from "kysely";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { CLUSTER } from "../../testing/cluster-database.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { centreOf } from "../position/cells.ts";
import { recordActivity, updateSearchRow } from "./search-index.ts";
import { moveMember } from "../position/position.ts";

/** Counts updates of the search row and heap-only updates, which change no index. */
async function writesOf(ctx: AppContext, act: (tx: Tx) => Promise<unknown>) {
  return ctx.db.transaction().execute(async (tx) => {
    const before = await readWrites(tx);
    await act(tx);
    const after = await readWrites(tx);
    return { all: after.all - before.all, inPlace: after.inPlace - before.inPlace };
  });
}

async function readWrites(tx: Tx): Promise<{ all: number; inPlace: number }> {
  const { rows } = await sql<{ all: number; inPlace: number }>`
    select n_tup_upd as all, n_tup_hot_upd as "inPlace" from pg_stat_xact_user_tables
    where relname = 'searchables'`.execute(tx);
  return rows[0]!;
}

// A cluster counts them on the node of the row.
test.runIf(CLUSTER.length === 0)(
  "changes an index once a day, or for another cell, when members return, save filters and move",
  async () => {
    const { member, ctx, clock } = await serviceForTest();
    clock.set("2026-03-01T06:00:00Z");
    const hanako = await member("hanako");
    const { cell, region } = await ctx.db
      .selectFrom("profiles")
      .select(["cell", "region"])
      .where("member_no", "=", hanako.memberId)
      .executeTakeFirstOrThrow();
    const comesBack = (tx: Tx) =>
      recordActivity({ ...ctx, db: tx }, { memberId: hanako.memberId, region: region! });
    const savesFilter = (tx: Tx) => updateSearchRow(tx, ctx, hanako.memberId);
    const moves = (to: number) => (tx: Tx) => moveMember(tx, ctx, hanako, centreOf(to));
    const nothing = { all: 0, inPlace: 0 };
    const inPlace = { all: 1, inPlace: 1 };
    const withIndexes = { all: 1, inPlace: 0 };

    expect(await writesOf(ctx, comesBack)).toEqual(nothing);
    clock.advance(HOUR_MS);
    expect(await writesOf(ctx, comesBack)).toEqual(nothing);
    expect(await writesOf(ctx, savesFilter)).toEqual(inPlace);
    // So far away that the secret place has another cell too.
    expect(await writesOf(ctx, moves(cell! ^ (1 << 6)))).toEqual(withIndexes);
    clock.advance(DAY_MS);
    expect(await writesOf(ctx, comesBack)).toEqual(withIndexes);
    clock.advance(HOUR_MS);
    expect(await writesOf(ctx, comesBack)).toEqual(nothing);
  },
);
