import { getHexagonEdgeLengthAvg } from "h3-js";
import { describe, expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getUser, saveLocation, saveLocationPrecision } from "@alcove/contract/discovery";
import { DISTANCE_BANDS } from "@alcove/contract/limits";
import { type LocationPrecision, locationPrecisions } from "@alcove/contract/users";
import { MINUTE_MS } from "../../platform/clock.ts";
import { destination } from "../../platform/lib/geodesy.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { hanakoAndTaro } from "../../testing/match.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import type { TestMember, TestService } from "../../testing/test-service.ts";
import { cellAt, centreOf, snapCell, vectorOf } from "./cells.ts";
import { kmBetween } from "./distance.ts";
import { placeOf } from "./places.ts";

const KM_OF_DEGREE = 111.195;
const HOME = { longitude: 139.7671, latitude: 35.6812 };
const LOCATION = `${HOME.longitude},${HOME.latitude}`;
const homeAt = (precision: LocationPrecision) => snapCell(cellAt(HOME.longitude, HOME.latitude), precision);

const choose = (who: TestMember, location_precision: LocationPrecision) =>
  who.call(saveLocationPrecision, { location_precision });

/** The cells that the member sees and that others' searches use. */
async function cellsOf({ db, ctx }: TestService, { memberId }: TestMember) {
  const { sent_cell: sent, cell: counted } = await db
    .selectFrom("profiles")
    .select(["sent_cell", "cell"])
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  const rows = await db.selectFrom("searchables").select("cell").where("member_no", "=", memberId).execute();
  expect(rows).toEqual([{ cell: placeOf(ctx, { memberId, cell: counted! }).cell }]);
  return { sent, counted };
}

describe("snaps a position to a larger place", () => {
  test.each([
    ["cell", 7, 1],
    ["town", 6, 7],
    ["region", 5, 49],
  ] as const)("%s", (precision, resolution, cells) => {
    const reachKm = 1.4 * getHexagonEdgeLengthAvg(resolution, "km");
    const places = new Map<number, Set<number>>();
    for (let i = 0; i < 20_000; i++) {
      const place = destination(
        HOME.longitude,
        HOME.latitude,
        (30 * Math.sqrt(i / 20_000)) / KM_OF_DEGREE,
        i * 2.4,
      );
      const cell = cellAt(place.longitude, place.latitude);
      const snapped = snapCell(cell, precision);
      places.set(snapped, (places.get(snapped) ?? new Set()).add(cell));
      expect(kmBetween(vectorOf(cell), vectorOf(snapped))).toBeLessThan(reachKm);
      for (const finer of locationPrecisions.slice(0, locationPrecisions.indexOf(precision)))
        expect(snapCell(snapped, finer)).toBe(snapped);
    }
    expect(Math.max(...[...places.values()].map(({ size }) => size))).toBe(cells);
  });
});

test("stores, returns and searches only the larger place", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  expect((await hanako.call(getOwnUser, {})).user.location_precision).toBe("cell");

  const { user } = await choose(hanako, "region");
  const saved = await hanako.call(saveLocation, { location: LOCATION });

  expect(user).toMatchObject({ location_precision: "region", location: null });
  const { longitude, latitude } = centreOf(homeAt("region"));
  expect(saved.user).toMatchObject({ location_precision: "region", location: [longitude, latitude] });
  expect(await cellsOf(service, hanako)).toEqual({ sent: homeAt("region"), counted: homeAt("region") });
});

test("snaps a position to the precision that the same request sets", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const body = new URLSearchParams({ location: LOCATION, location_precision: "town" });
  const response = await hanako.fetch("/en/users/api/user", { method: "PATCH", body });

  expect(response.status).toBe(200);
  expect(await cellsOf(service, hanako)).toEqual({ sent: homeAt("town"), counted: homeAt("town") });
});

test("snaps stored positions again at a coarser choice, and waits for the next position at a finer one", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  for (const precision of ["town", "region"] as const) {
    const { user } = await choose(hanako, precision);
    const { longitude, latitude } = centreOf(homeAt(precision));
    expect(user.location).toEqual([longitude, latitude]);
    expect(await cellsOf(service, hanako)).toEqual({ sent: homeAt(precision), counted: homeAt(precision) });
  }
  const placeIn = ({ memberId }: TestMember, precision: LocationPrecision) =>
    placeOf(service.ctx, { memberId, cell: homeAt(precision) }).vector;
  const km = kmBetween(placeIn(hanako, "region"), placeIn(taro, "cell"));
  const { distance } = (await taro.call(getUser, { userId: "hanako" })).user;
  expect(distance).toBe(DISTANCE_BANDS.find((end) => km <= end));

  await choose(hanako, "cell");
  expect(await cellsOf(service, hanako)).toEqual({ sent: homeAt("region"), counted: homeAt("region") });
  // Times of positions are rounded up to the minute.
  service.clock.advance(3 * MINUTE_MS);
  await hanako.call(saveLocation, { location: LOCATION });
  expect(await cellsOf(service, hanako)).toEqual({ sent: homeAt("cell"), counted: homeAt("cell") });
});

test("applies a coarser choice after the day's last counted move, and then counts fewer the next day", async () => {
  const service = await ownService();
  service.clock.set("2026-05-01T10:00:00Z");
  const cells: number[] = [];
  service.ctx.domainEvents.on("member_moved", async (_, { longitude, latitude }) => {
    cells.push(cellAt(longitude, latitude));
  });
  let hanako = await service.member("hanako", { at: null });
  const away = destination(HOME.longitude, HOME.latitude, 3 / KM_OF_DEGREE, 1);
  const send = async (location: string) => {
    service.clock.advance(MINUTE_MS);
    hanako = await logInAgain(service, hanako);
    await hanako.call(saveLocation, { location });
  };
  /** Uses all moves, and then toggles the precision around further positions. */
  const wander = async () => {
    await choose(hanako, "cell");
    for (let i = 0; i < 4; i++)
      for (const place of [HOME, away]) await send(`${place.longitude},${place.latitude}`);
    for (let i = 0; i < 3; i++) {
      await choose(hanako, "town");
      await choose(hanako, "region");
      await choose(hanako, "cell");
      await send(LOCATION);
    }
  };

  await wander();
  const { counted } = await cellsOf(service, hanako);
  expect(counted).toBe(snapCell(counted!, "region"));
  expect(cells.length).toBeGreaterThan(1 + 6);
  expect(cells.length).toBeLessThanOrEqual(1 + 6 + 2);

  for (let day = 2; day <= 4; day++) {
    service.clock.set(`2026-05-0${day}T10:00:00Z`);
    hanako = await logInAgain(service, hanako);
    await wander();
    expect(cells.length).toBeLessThanOrEqual(1 + 6 * day + 2);
  }
}, 120_000);

test("counts neither a repeated nor a finer choice", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: [HOME.longitude, HOME.latitude] });

  for (let i = 0; i < 10; i++)
    for (const precision of locationPrecisions.toReversed()) await choose(hanako, precision);

  const { cell_changes } = await service.db
    .selectFrom("profiles")
    .select("cell_changes")
    .executeTakeFirstOrThrow();
  expect(cell_changes).toBe(1);
});

test("keeps the larger place when a position and a coarser choice arrive at the same time", async () => {
  const service = await serviceForTest();

  const members = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      service.member(`hanako${i}`, { at: [HOME.longitude + 0.05, HOME.latitude] }),
    ),
  );
  await Promise.all(
    members.flatMap((member) => [
      member.call(saveLocation, { location: LOCATION }),
      choose(member, "region"),
    ]),
  );

  for (const member of members) {
    const { sent, counted } = await cellsOf(service, member);
    expect([sent, counted]).toEqual([snapCell(sent!, "region"), snapCell(counted!, "region")]);
  }
}, 120_000);

test("finds a member with a larger place by the place's centre only", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female", at: null });
  const home = destination(HOME.longitude, HOME.latitude, 0, 0);
  // A cell at the edge of its region, at least 7 km from its centre.
  const bearings = Array.from({ length: 60 }, (_, i) => i / 10);
  const edges = bearings.map((bearing) =>
    destination(home.longitude, home.latitude, 14 / KM_OF_DEGREE, bearing),
  );
  const cells = edges.map(({ longitude, latitude }) => cellAt(longitude, latitude));
  const away = (cell: number) => kmBetween(vectorOf(cell), vectorOf(snapCell(cell, "region")));
  const cell = cells.toSorted((a, b) => away(b) - away(a))[0]!;
  expect(away(cell)).toBeGreaterThan(7);
  const { longitude, latitude } = centreOf(cell);
  const place = () => distanceFrom(service, hanako, cell);
  await hanako.call(saveLocation, { location: `${longitude},${latitude}` });
  expect(await place()).toBeLessThanOrEqual(3);

  await choose(hanako, "region");

  expect(await place()).toBeGreaterThan(4);
});

/** From a cell's centre to the member's row in the search. */
async function distanceFrom({ db }: TestService, { memberId }: TestMember, cell: number): Promise<number> {
  const { x, y, z } = await db
    .selectFrom("searchables")
    .select(["x", "y", "z"])
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  return kmBetween([x, y, z], vectorOf(cell));
}

test("rejects an unknown precision and changes nothing", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");

  for (const location_precision of ["country", "", "CELL"]) {
    const body = new URLSearchParams({ location_precision });
    const response = await hanako.fetch("/en/users/api/user", { method: "PATCH", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_input" });
  }
  expect((await hanako.call(getOwnUser, {})).user.location_precision).toBe("cell");
});
