import { expect, test } from "vitest";
import { getPlaceAdvice } from "@alcove/contract/discovery";
import { countCells } from "../search/cell-counts.ts";
import { listSearchables, searcher } from "../../testing/searchers.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";

test("advises a larger area where fewer than 30 members live around, and nobody without a position", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const nowhere = await service.member("nowhere", { at: null });
  const { cell } = await service.db
    .selectFrom("profiles")
    .select("cell")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();
  const advice = async () => (await hanako.call(getPlaceAdvice, {})).suggestion;
  const neighbours = (count: number) =>
    Array.from({ length: count }, (_, i) => searcher({ memberId: 1_000_000 + i, cell: cell! }));

  expect(await advice()).toBe("region");
  expect(await nowhere.call(getPlaceAdvice, {})).toEqual({ suggestion: null });
  await listSearchables(service, neighbours(400));
  await countCells(service.ctx);
  expect(await advice()).toBeNull();
});
