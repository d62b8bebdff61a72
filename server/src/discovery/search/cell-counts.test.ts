import { expect, test } from "vitest";
import { saveLocation } from "@alcove/contract/discovery";
import { logInAgain } from "../../testing/log-in-again.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";
import { DAY_MS, SECOND_MS } from "../../platform/clock.ts";
import { countCells, loadCellCounts } from "./cell-counts.ts";
import { cellAt, FAR, parentOf, regionOf } from "../position/cells.ts";

test("counts members by cell and sex, and zero in an emptied cell", async () => {
  const service = await serviceForTest();
  const { member, db, ctx, clock } = service;
  const hanako = await member("hanako", { sex: "female" });
  await member("taro", { sex: "male" });
  await member("jiro", { sex: "male" });
  const [tokyo, london] = [cellAt(139.7671, 35.6812), cellAt(-0.1276, 51.5072)].map((cell) =>
    parentOf(cell, FAR),
  );
  const counts = async () => {
    await ctx.jobs.add(db, "count_cells", {});
    const rows = await db
      .selectFrom("cell_counts")
      .selectAll()
      .orderBy("members")
      .orderBy("far_cell")
      .execute();
    return rows.map(({ far_cell, sex, members }) => [far_cell, sex, members]);
  };

  await eventually(async () =>
    expect(await counts()).toEqual([
      [tokyo, 1, 1],
      [tokyo, 2, 2],
    ]),
  );
  clock.advance(DAY_MS);
  const travelled = await logInAgain(service, hanako);
  await travelled.call(saveLocation, { location: "-0.1276,51.5072" });
  await eventually(async () =>
    expect(await counts()).toEqual([
      [tokyo, 1, 0],
      [london, 1, 1],
      [tokyo, 2, 2],
    ]),
  );
});

test("caches counts for 15 seconds, except after its own recount", async () => {
  const service = await ownService();
  const { ctx, clock } = service;
  const other = await ownService({ beside: service });
  // A scheduled job would count at each full minute.
  for (const each of [service, other]) await each.ctx.jobs.stop();
  const tokyo = cellAt(139.7671, 35.6812);
  const women = async () => (await loadCellCounts(ctx, [regionOf(tokyo)]))(parentOf(tokyo, FAR), 1);

  await service.member("hanako", { sex: "female" });
  await countCells(ctx);
  expect(await women()).toBe(1);

  await service.member("keiko", { sex: "female" });
  await countCells(other.ctx);
  expect(await women()).toBe(1);
  clock.advance(15 * SECOND_MS);
  expect(await women()).toBe(2);

  await service.member("yoko", { sex: "female" });
  await countCells(ctx);
  expect(await women()).toBe(3);
});
