import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getUser, saveLocation } from "@alcove/contract/discovery";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { destination } from "../../platform/lib/geodesy.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { hanakoAndTaro, match } from "../../testing/match.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import type { TestMember, TestService } from "../../testing/test-service.ts";
import { cellAt, centreOf } from "./cells.ts";
import { placeOf } from "./places.ts";

const KM_OF_DEGREE = 111.195;
const TOKYO = centreOf(cellAt(139.7671, 35.6812));

/** A position at this distance east of Tokyo. */
function kmEast(km: number): string {
  const { longitude, latitude } = destination(
    TOKYO.longitude,
    TOKYO.latitude,
    km / KM_OF_DEGREE,
    Math.PI / 2,
  );
  return `${longitude},${latitude}`;
}

const cellEast = (km: number) => {
  const [longitude, latitude] = kmEast(km).split(",").map(Number) as [number, number];
  return cellAt(longitude, latitude);
};

async function countedCellOf({ db, ctx }: TestService, { memberId }: TestMember) {
  const rows = await db.selectFrom("searchables").select("cell").where("member_no", "=", memberId).execute();
  const profile = await db
    .selectFrom("profiles")
    .select("cell")
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  expect(rows).toEqual([{ cell: placeOf(ctx, { memberId, cell: profile.cell! }).cell }]);
  return profile.cell;
}

const move = (who: TestMember, km: number) => who.call(saveLocation, { location: kmEast(km) });
const distanceTo = async (who: TestMember, { user_id }: TestMember) =>
  (await who.call(getUser, { userId: user_id })).user.distance;

test("counts six changes of the cell a day, after the free first position, and drops the others", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T10:00:00Z");
  const hanako = await service.member("hanako", { at: null });

  const counted: unknown[] = [];
  for (const km of [0, 3, 6, 9, 12, 15, 18, 21, 24]) {
    await move(hanako, km);
    counted.push(await countedCellOf(service, hanako));
  }

  expect(counted).toEqual([0, 3, 6, 9, 12, 15, 18, 18, 18].map(cellEast));
  service.clock.set("2026-05-02T00:00:00Z");
  const nextDay = await logInAgain(service, hanako);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(18)); // a dropped move never counts later
  await move(nextDay, 24);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(24));
});

test("counts a move within five kilometres at any speed, and a longer one up to 1,000 km/h", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T10:00:00Z");
  let hanako = await service.member("hanako", { at: [TOKYO.longitude, TOKYO.latitude] });

  await move(hanako, 4.5);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(4.5));
  await move(hanako, 300);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(4.5));

  service.clock.advance(17 * MINUTE_MS);
  hanako = await logInAgain(service, hanako);
  await move(hanako, 300); // 296 km
  expect(await countedCellOf(service, hanako)).toBe(cellEast(4.5));
  service.clock.advance(MINUTE_MS);
  await move(hanako, 300);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(300));
});

test("counts no faster move because of the minute to which the time of a position is rounded", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T10:00:50Z");
  const hanako = await service.member("hanako", { at: [TOKYO.longitude, TOKYO.latitude] });

  await move(hanako, 10);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(0));
  service.clock.advance(9 * SECOND_MS);
  await move(hanako, 10);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(0));
  service.clock.advance(MINUTE_MS);
  await move(hanako, 10);
  expect(await countedCellOf(service, hanako)).toBe(cellEast(10));
});

test("counts the speed from the last position in the counted cell", async () => {
  const service = await serviceForTest();
  let hanako = await service.member("hanako", { at: [TOKYO.longitude, TOKYO.latitude] });
  service.clock.advance(DAY_MS);
  hanako = await logInAgain(service, hanako);

  await move(hanako, 0.2);
  await move(hanako, 100);

  expect(await countedCellOf(service, hanako)).toBe(cellEast(0));
});

test("shows distances from the counted cell in both directions", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T10:00:00Z");
  const { hanako, taro } = await hanakoAndTaro(service);
  const distances = async () => [await distanceTo(hanako, taro), await distanceTo(taro, hanako)];
  const [near, sameForTaro] = await distances();
  expect([5, 10]).toContain(near);
  expect(sameForTaro).toBe(near);

  await move(taro, 300);
  expect(await distances()).toEqual([near, near]);

  service.clock.advance(HOUR_MS);
  const [later, laterTaro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  await move(laterTaro, 300);
  expect([await distanceTo(later, taro), await distanceTo(laterTaro, hanako)]).toEqual([500, 500]);
});

test("returns the same responses whether a position counts or not", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T10:00:00Z");
  const [counts, dropped] = [
    await service.member("counts", { username: "Hanako", sex: "female" }),
    await service.member("dropped", { username: "Hanako", sex: "female" }),
  ];
  for (const km of [3, 0, 3, 0, 3, 0]) await move(dropped, km);
  service.clock.advance(10 * MINUTE_MS);
  const responsesOf = async (who: TestMember) => {
    const body = new URLSearchParams({ location: kmEast(30) });
    const saved = await who.fetch("/en/users/api/user", { method: "PATCH", body });
    const texts = [await saved.text(), JSON.stringify(await who.call(getOwnUser, {}))];
    return {
      status: saved.status,
      headers: [...saved.headers.keys()].toSorted(),
      texts: texts.map((text) => text.replaceAll(who.user_id, "hanako")),
    };
  };

  expect(await responsesOf(counts)).toEqual(await responsesOf(dropped));
  expect(await countedCellOf(service, counts)).toBe(cellEast(30));
  expect(await countedCellOf(service, dropped)).toBe(cellEast(0));
});

test("counts no more changes when positions arrive in parallel, of many members and at two processes", async () => {
  const service = await ownService();
  service.clock.set("2026-05-01T10:00:00Z");
  const other = await serviceForTest({ beside: service });
  const moves = new Map<number, number>();
  for (const { ctx } of [service, other]) {
    ctx.domainEvents.on("member_moved", async (_, { memberId }) => {
      moves.set(memberId, (moves.get(memberId) ?? 0) + 1);
    });
  }
  const members = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      service.member(`member${i}`, { at: [TOKYO.longitude, TOKYO.latitude] }),
    ),
  );
  moves.clear();

  await Promise.all(
    members.flatMap((member) =>
      [0, 2.4, 4.8].flatMap((from) =>
        Array.from({ length: 5 }, (_, i) =>
          (i % 2 === 0 ? member : service.memberAt(member, other.url)).call(saveLocation, {
            location: kmEast((from + 2.4 * i) % 4.9),
          }),
        ),
      ),
    ),
  );

  for (const member of members) await countedCellOf(service, member);
  expect(Math.max(...moves.values())).toBe(6);
}, 120_000);

test("locates nobody by ten invented positions", async () => {
  const service = await serviceForTest();
  const attacker = await service.member("attacker", { paid: true });
  const hanako = await service.member("hanako");

  for (let i = 0; i < 10; i++) {
    await attacker.call(saveLocation, { location: kmEast(2 * i) });
    expect(await distanceTo(attacker, hanako)).toBeNull();
  }
});

test("shows an attacker one band for invented positions far apart", async () => {
  const service = await serviceForTest();
  const attacker = await service.member("attacker", { paid: true });
  const hanako = await service.member("hanako");
  await match(attacker, hanako);

  const near = await distanceTo(attacker, hanako);
  expect([5, 10]).toContain(near);
  const bands = new Set<number | null>();
  for (const km of [20, 40, 80, 160, 320, 640]) {
    service.clock.advance(SECOND_MS);
    await move(attacker, km);
    bands.add(await distanceTo(attacker, hanako));
  }

  expect([...bands]).toEqual([near]);
  const { location } = (await attacker.call(getOwnUser, {})).user;
  expect(cellAt(...location!)).toBe(cellEast(640));
});
