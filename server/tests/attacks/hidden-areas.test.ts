import { expect, test } from "vitest";
import { getUser, saveLocation } from "@alcove/contract/discovery";
import { AREA_RADII } from "@alcove/contract/limits";
import { addHiddenArea, removeHiddenArea } from "@alcove/contract/profiles";
import { cellAt, centreOf } from "../../src/discovery/position/cells.ts";
import { placeOf } from "../../src/discovery/position/places.ts";
import { DAY_MS } from "../../src/platform/clock.ts";
import type { AppContext } from "../../src/platform/context.ts";
import { areaAt, areaContains } from "../../src/platform/lib/area-cells.ts";
import { logInAgain } from "../../src/testing/log-in-again.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import type { TestMember } from "../../src/testing/test-service.ts";

const TARGETS = 3;
const STEPS = Array.from({ length: 41 }, (_, i) => (i - 20) * 0.015);

/** Returns the first area that contains the one cell without the other: it would distinguish them. */
function distinguishing(one: number, other: number) {
  const { longitude, latitude } = centreOf(one);
  for (const radius of AREA_RADII)
    for (const east of STEPS)
      for (const north of STEPS) {
        const area = areaAt(longitude + east, latitude + north, radius);
        if (areaContains(area, one) && !areaContains(area, other))
          return { area, radius, location: `${longitude + east},${latitude + north}` };
      }
  return null;
}

/** Returns a position of the member whose secret place an area can distinguish from the own cell. */
function placedBeside(ctx: AppContext, memberId: number) {
  for (const step of STEPS) {
    const at: [number, number] = [139.7 + 4 * step, 35.7];
    const own = cellAt(...at);
    const place = placeOf(ctx, { memberId, cell: own }).cell;
    const drawn = distinguishing(own, place);
    if (drawn) return { at, own, place, drawn };
  }
  throw new Error("every place is in its own cell");
}

test("an attacker who draws the best area each day learns the cells of secret places, and no member's own", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  let attacker = await service.member("attacker", { sex: "male", paid: true, at: [139.2, 36.2] });
  const targets = [];
  for (let i = 0; i < TARGETS; i++) {
    const target = await service.member(`target_${i}`, { sex: "female", at: null });
    const placed = placedBeside(service.ctx, target.memberId);
    await target.call(saveLocation, { location: placed.at.join(",") });
    targets.push({ user_id: target.user_id, ...placed });
  }
  const isHidden = async (who: TestMember, userId: string) =>
    who.call(getUser, { userId }).then(
      () => false,
      () => true,
    );
  let misled = 0;

  for (const { drawn } of targets) {
    const { area, radius, location } = drawn;
    const { areas } = await attacker.call(addHiddenArea, { location, radius });
    for (const { user_id, own, place } of targets) {
      expect(await isHidden(attacker, user_id)).toBe(areaContains(area, place));
      if (areaContains(area, own) !== areaContains(area, place)) misled++;
    }
    await attacker.call(removeHiddenArea, { id: areas[0]!.id });
    service.clock.advance(DAY_MS);
    attacker = await logInAgain(service, attacker);
  }

  // Each area would distinguish an own cell, if own cells were compared.
  expect(misled).toBeGreaterThanOrEqual(TARGETS);
});
