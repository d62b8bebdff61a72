import { expect, test } from "vitest";
import { getUser, likeUser, saveLocation } from "@alcove/contract/discovery";
import { addHiddenArea, getHiddenAreas, removeHiddenArea } from "@alcove/contract/profiles";
import { DAY_MS } from "../platform/clock.ts";
import { areaAt, areaContains } from "../platform/lib/area-cells.ts";
import { pack, POSITION } from "../platform/lib/packed-cell.ts";
import { latLngToCell } from "h3-js";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { shownTo } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { recordStatementsWithValues } from "../testing/statements.ts";
import { type CallError, expectError, type TestMember } from "../testing/test-service.ts";

const HOME = "139.7671,35.6812";
const FAR_AWAY = "139.2,36.2";
const pageOf = (who: TestMember, userId: string) => who.call(getUser, { userId });
const men = { sex: "male", search_sex: "female", paid: true } as const;
const women = { sex: "female", search_sex: "male", paid: true } as const;

test("covers the circle and no cell that it does not touch, for each radius", () => {
  const at = (longitude: number, latitude: number) =>
    pack(latLngToCell(latitude, longitude, POSITION), POSITION);
  for (const radius of [5, 10, 20] as const) {
    const area = areaAt(139.7, 35.7, radius);
    for (let angle = 0; angle < 360; angle += 15) {
      const toward = (km: number) => {
        const [east, north] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
        return at(139.7 + (km * east) / 90.4, 35.7 + (km * north) / 111.2);
      };
      // The circle is drawn around the centre of the cell of this place, which is some kilometres away.
      expect(areaContains(area, toward(0))).toBe(true);
      expect(areaContains(area, toward(3 * radius + 30))).toBe(false);
    }
  }
});

test("hides a member and people from an area from each other, but not matches and people from elsewhere", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", women);
  const taro = await member("taro", men);
  const jiro = await member("jiro", men);
  const saburo = await member("saburo", { ...men, at: [139.2, 36.2] });
  await match(hanako, jiro);
  expect(await shownTo(taro)).toEqual(["hanako"]);

  const { areas } = await hanako.call(addHiddenArea, { location: HOME, radius: 5 });

  expect(areas).toEqual([{ id: expect.any(String), location: expect.any(Array), radius: 5 }]);
  expect((await hanako.call(getHiddenAreas, {})).areas).toEqual(areas);
  expect([await shownTo(taro), await shownTo(saburo)]).toEqual([[], ["hanako"]]);
  expect(await shownTo(hanako)).toEqual(["saburo"]);
  await expectError(pageOf(taro, "hanako"), "user_not_found");
  await expectError(pageOf(hanako, "taro"), "user_not_found");
  await expectError(taro.call(likeUser, { likedId: "hanako" }), "user_not_found");
  expect((await pageOf(jiro, "hanako")).matched).toBe(true);

  await hanako.call(removeHiddenArea, { id: areas[0]!.id });
  expect((await pageOf(taro, "hanako")).user.user_id).toBe("hanako");
  await expectError(hanako.call(removeHiddenArea, { id: areas[0]!.id }), "not_found");
});

test("stays hidden from a neighbour on a trip, and from one who came to look, for 30 days", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  const hanako = await service.member("hanako", { ...women, at: [139.2, 36.2] });
  let taro = await service.member("taro", men);
  await hanako.call(addHiddenArea, { location: HOME, radius: 10 });
  service.clock.advance(2 * 3_600_000);
  taro = await logInAgain(service, taro);
  await taro.call(saveLocation, { location: FAR_AWAY });

  await expectError(pageOf(taro, "hanako"), "user_not_found");
  expect(await shownTo(taro)).toEqual([]);
  for (const [days, isHidden] of [
    [30, true],
    [1, false],
  ] as const) {
    service.clock.advance(days * DAY_MS);
    taro = await logInAgain(service, taro);
    const page = pageOf(taro, "hanako");
    if (isHidden) await expectError(page, "user_not_found");
    else expect((await page).user.user_id).toBe("hanako");
  }
});

test("adds one area a day and three in all, also without rate limits, and stores no place in clear", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  let hanako = await service.member("hanako", women);
  const add = () => hanako.call(addHiddenArea, { location: HOME, radius: 20 });
  const { areas } = await add();
  const again = await add().catch((error: unknown) => error as CallError);
  expect(again).toMatchObject({ status: 429, code: "area_changes_used_up" });
  await hanako.call(removeHiddenArea, { id: areas[0]!.id });
  await expectError(add(), "area_changes_used_up");
  for (let day = 0; day < 3; day++) {
    service.clock.advance(DAY_MS);
    hanako = await logInAgain(service, hanako);
    await add();
  }
  service.clock.advance(DAY_MS);
  hanako = await logInAgain(service, hanako);
  expect((await expectError(add(), "too_many_areas")).status).toBe(422);
  const radius = await hanako
    .call(addHiddenArea, { location: HOME, radius: 7 as 5 })
    .catch((error: unknown) => error as CallError);
  expect(radius).toMatchObject({ status: 400, body: { validation_errors: { radius: ["unknown_choice"] } } });
});

test("reads no key of people inside the viewer's own areas, however many there are", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", women);
  const neighbours: TestMember[] = [];
  for (let i = 0; i < 6; i++) neighbours.push(await member(`neighbour_${i}`, men));
  await member("saburo", { ...men, at: [139.2, 36.2] });
  await hanako.call(addHiddenArea, { location: HOME, radius: 10 });

  const statements = await recordStatementsWithValues(async () => {
    expect(await shownTo(hanako)).toEqual(["saburo"]);
  });

  const reads = statements.filter(({ text }) => text.includes("encrypted_places"));
  const ids = JSON.stringify(reads.map(({ values }) => values));
  expect(reads.length).toBeGreaterThan(0);
  for (const { memberId } of neighbours) expect(ids).not.toContain(String(memberId));
});
