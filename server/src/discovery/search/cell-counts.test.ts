import { expect, test } from "vitest";
import { saveLocation } from "@alcove/contract/discovery";
import { logInAgain } from "../../testing/log-in-again.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";
import { DAY_MS, SECOND_MS } from "../../platform/clock.ts";
import { countCells, loadCellCounts } from "./cell-counts.ts";
import { cellAt, centreOf, FAR, parentOf, regionOf } from "../position/cells.ts";

/** In the middle of a far cell, so that secret places are in it too. */
function innerCellAt(longitude: number, latitude: number) {
  const far = parentOf(cellAt(longitude, latitude), FAR);
  const cell = far << 9;
  const middle = centreOf(cell);
  return { far, cell, at: [middle.longitude, middle.latitude] as [number, number] };
}

test("counts members by cell and sex, and zero in an emptied cell", async () => {
  const service = await serviceForTest();
  const { member, db, ctx, clock } = service;
  const [tokyo, london] = [innerCellAt(139.7671, 35.6812), innerCellAt(-0.1276, 51.5072)];
  const hanako = await member("hanako", { sex: "female", at: tokyo.at });
  await member("taro", { sex: "male", at: tokyo.at });
  await member("jiro", { sex: "male", at: tokyo.at });
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
      [tokyo.far, 1, 1],
      [tokyo.far, 2, 2],
    ]),
  );
  clock.advance(DAY_MS);
  const travelled = await logInAgain(service, hanako);
  await travelled.call(saveLocation, { location: london.at.join() });
  await eventually(async () =>
    expect(await counts()).toEqual([
      [tokyo.far, 1, 0],
      [london.far, 1, 1],
      [tokyo.far, 2, 2],
    ]),
  );
});

test("caches counts for 15 seconds, except after its own recount", async () => {
  const service = await ownService();
  const { ctx, clock } = service;
  const other = await ownService({ beside: service });
  // A scheduled job would count at each full minute.
  for (const each of [service, other]) await each.ctx.jobs.stop();
  const { cell, far, at } = innerCellAt(139.7671, 35.6812);
  const women = async () => (await loadCellCounts(ctx, [regionOf(cell)]))(far, 1);

  await service.member("hanako", { sex: "female", at });
  await countCells(ctx);
  expect(await women()).toBe(1);

  await service.member("keiko", { sex: "female", at });
  await countCells(other.ctx);
  expect(await women()).toBe(1);
  clock.advance(15 * SECOND_MS);
  expect(await women()).toBe(2);

  await service.member("yoko", { sex: "female", at });
  await countCells(ctx);
  expect(await women()).toBe(3);
});
