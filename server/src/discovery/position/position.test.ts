import { sql } from "kysely";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser, saveLocation } from "@alcove/contract/discovery";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { act } from "../../testing/backups.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestMember } from "../../testing/test-service.ts";
import { cellAt, centreOf } from "./cells.ts";
import { placeOf } from "./places.ts";

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

test("searches a member by the secret place of their cell, which returns with them and outlives the master key", async () => {
  const service = await serviceForTest();
  const { member, db, clock, ctx } = service;
  let hanako = await member("hanako", { at: null });
  const placeAfter = async (location: string) => {
    clock.advance(HOUR_MS);
    hanako = await logInAgain(service, hanako);
    await hanako.call(saveLocation, { location });
    return db
      .selectFrom("searchables")
      .select(["region", "cell", "near_cell", "far_cell", "x", "y", "z"])
      .executeTakeFirstOrThrow();
  };
  const home = cellAt(139.7671, 35.6812);
  const { cell, vector } = placeOf(ctx, { memberId: hanako.memberId, cell: home });

  const first = await placeAfter("139.7671,35.6812");
  const away = await placeAfter("139.9,35.7");
  await act(ctx, service.databaseUrl, "keys", "rotate");
  const again = await placeAfter("139.7672,35.6813");

  expect(first).toMatchObject({ cell, near_cell: cell >> 3, far_cell: cell >> 9, region: cell >> 18 });
  expect([first.x, first.y, first.z].map(Math.fround)).toEqual(vector);
  expect(again).toEqual(first);
  expect(away).not.toEqual(first);
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
    const place = placeOf(service.ctx, { memberId: hanako.memberId, cell: profile.cell! });
    const [{ cell, region }, ...others] = rows as [(typeof rows)[number]];
    expect([cell, region, others]).toEqual([place.cell, profile.region, []]);
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
  const { cell, region } = await db
    .selectFrom("profiles")
    .select(["region", "cell"])
    .executeTakeFirstOrThrow();
  const place = placeOf(service.ctx, { memberId: hanako.memberId, cell: cell! });
  expect(rows).toEqual([{ region, cell: place.cell }]);
});

test("rejects an invalid position and stores nothing", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako", { at: null });

  for (const location of ["", "181,0", "0,91", "NaN,0", "1e3,0", "139", "1,2,3", "0x10,0", "a,b", "\u0000"]) {
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
