import { sql } from "kysely";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser, saveLocation } from "@alcove/contract/discovery";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestMember } from "../../testing/test-service.ts";
import { cellAt, centreOf } from "./cells.ts";

test("stores and returns a position only as the centre of its cell", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako", { at: null });
  const exact = { longitude: 139.7671248, latitude: 35.6812362 };
  const middle = centreOf(cellAt(exact.longitude, exact.latitude));

  const { user } = await hanako.call(saveLocation, { location: "139.7671248,35.6812362" });

  expect(user.location).toEqual([middle.longitude, middle.latitude]);
  expect((await hanako.call(getOwnUser, {})).user.location).toEqual(user.location);
  for (const table of ["profiles", "searchables"] as const) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute());
    expect(rows).not.toContain("139.767");
    expect(rows).not.toContain("35.681");
  }
});

test("changes only the time of the own position, to the minute, after a move within the cell", async () => {
  const { member, clock, db } = await serviceForTest();
  clock.set("2026-05-01T10:00:47.123Z");
  const hanako = await member("hanako", { at: [139.7671, 35.6812] });
  const taro = await member("taro", { at: [139.9, 35.7], paid: true });
  const seen = async (by: TestMember) =>
    JSON.stringify([await by.call(getOptions, {}), await by.call(getUser, { userId: "hanako" })]);
  const rowsOf = () =>
    db.selectFrom("searchables").selectAll().where("member_no", "=", hanako.memberId).execute();
  const [before, row] = [await seen(taro), await rowsOf()];
  clock.advance(MINUTE_MS);

  const { user } = await hanako.call(saveLocation, { location: "139.7673,35.6815" });

  expect(user.gps_updated_at).toBe("2026-05-01T10:01:00.000Z");
  expect(await seen(taro)).toBe(before);
  expect(await rowsOf()).toEqual(row);
});

test("leaves no search row behind after a move to another region", async () => {
  const service = await serviceForTest();
  const { member, db, clock } = service;
  const hanako = await member("hanako");

  for (const location of ["-0.1276,51.5072", "180,0", "-180,-90", "0,90", "121.5654,25.033"]) {
    clock.advance(DAY_MS);
    const travelled = await logInAgain(service, hanako);
    await travelled.call(saveLocation, { location });
    const rows = await db
      .selectFrom("searchables")
      .selectAll()
      .where("member_no", "=", hanako.memberId)
      .execute();
    const profile = await db.selectFrom("profiles").select(["cell", "region"]).executeTakeFirstOrThrow();
    expect(rows.map(({ cell, region }) => ({ cell: cell, region }))).toEqual([profile]);
    const [longitude, latitude] = location.split(",").map(Number) as [number, number];
    expect(profile.cell).toBe(cellAt(longitude, latitude));
  }
});

test("keeps one search row when positions from several regions arrive in parallel", async () => {
  const service = await serviceForTest();
  const { member, db, clock } = service;
  let hanako = await member("hanako");
  clock.advance(DAY_MS);
  hanako = await logInAgain(service, hanako);
  const places = ["-0.1276,51.5072", "121.5654,25.033", "139.7671,35.6812", "-73.9857,40.7484"];

  await Promise.all(
    [...places, ...places, ...places].map((location) => hanako.call(saveLocation, { location })),
  );

  const rows = await db.selectFrom("searchables").select(["region", "cell"]).execute();
  const profile = await db.selectFrom("profiles").select(["region", "cell as cell"]).executeTakeFirst();
  expect(rows).toEqual([profile]);
});

test("rejects an invalid position and stores nothing", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako", { at: null });

  for (const location of [
    "",
    "181,0",
    "0,91",
    "NaN,0",
    "1e3,0",
    "139",
    "1,2,3",
    "0x10,0",
    "a,b",
    "１,２",
    "\u0000",
  ]) {
    expect((await expectError(hanako.call(saveLocation, { location }), "invalid_input")).status).toBe(400);
  }
  for (const location of [7, null, ["1,2"], { a: 1 }] as unknown as string[]) {
    await expectError(hanako.call(saveLocation, { location }), "invalid_input");
  }
  expect(await db.selectFrom("searchables").selectAll().execute()).toEqual([]);
  expect((await hanako.call(getOwnUser, {})).user.location).toBeNull();
});

test("writes activity once a day", async () => {
  const service = await serviceForTest();
  const { member, clock, db } = service;
  clock.set("2026-05-01T12:00:00Z");
  let hanako = await member("hanako");
  const activity = () =>
    db
      .selectFrom("searchables")
      .select(["active_day", "slot", sql`xmin`.as("version")])
      .executeTakeFirstOrThrow();
  const first = await activity();

  clock.set("2026-05-01T23:59:59Z");
  hanako = await logInAgain(service, hanako);
  await hanako.call(getOptions, {});
  expect(await activity()).toEqual(first);
  clock.advance(SECOND_MS);
  await (await logInAgain(service, hanako)).call(getOptions, {});
  expect((await activity()).active_day).toBe(first.active_day + 1);
});
