// @module-tag long
import { sql } from "kysely";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { expect, test } from "vitest";
import type { Call, InputOf } from "@alcove/contract";
import { getOptions, getUser, likeUser, passUser, saveLocation, undoPass } from "@alcove/contract/discovery";
import { buildRequest } from "@alcove/contract/request";
import { addHiddenArea, removeHiddenArea, saveFilter } from "@alcove/contract/profiles";
import { HOUR_MS } from "../../platform/clock.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import type { TestMember, TestService } from "../../testing/test-service.ts";
import { destination } from "../../platform/lib/geodesy.ts";
import { clearCellCounts } from "../search/cell-counts.ts";
import { cellAt, centreOf } from "./cells.ts";

interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

const KM_OF_DEGREE = 111.195;
const REQUESTS = 1_000;
/** Enough to distinguish neighbouring cells. */
const FEW_REQUESTS = 200;

/** The targets with their own filters. */
const TARGETS = [
  { name: "wide", at: { longitude: 139.7671, latitude: 35.6812 }, wish: {} },
  { name: "nearby", at: { longitude: 139.9, latitude: 35.72 }, wish: { search_max_range: 12 } },
  {
    name: "afar",
    at: { longitude: 139.5, latitude: 35.6 },
    wish: { search_range_unit: "mile", search_min_range: 6, search_max_range: 40 },
  },
] as const;

type Stand = (middle: Place) => Place;

/** The edge of the cell in a direction. */
function edge(bearing: number): Stand {
  return (middle) => {
    const { longitude, latitude } = middle;
    const cell = cellAt(longitude, latitude);
    let place = middle;
    for (let km = 0.05; km < 3; km += 0.05) {
      const next = destination(longitude, latitude, km / KM_OF_DEGREE, bearing);
      if (cellAt(next.longitude, next.latitude) !== cell) return place;
      place = next;
    }
    return place;
  };
}

const nextCell: Stand = (middle) => destination(middle.longitude, middle.latitude, 2.3 / KM_OF_DEGREE, 0.3);

interface TestEnv {
  readonly service: TestService;
  readonly targets: readonly TestMember[];
  readonly attacker: TestMember;
  readonly free: TestMember;
}

const text = ({ longitude, latitude }: Place) => `${longitude},${latitude}`;
const middleAround = ({ longitude, latitude }: Place) => centreOf(cellAt(longitude, latitude));

/** The same members in the same order; only the targets' exact positions differ. */
async function createEnv(stand: Stand): Promise<TestEnv> {
  // Equal members of all environments have equal secret places.
  const service = await serviceForTest({ config: { passwordPepper: "a pepper for all environments" } });
  await service.ctx.jobs.stop(); // the count of each minute would end the crowds of one environment
  service.clock.set("2026-05-01T00:30:00Z");
  const her = { sex: "female", date_of_birth: "1985-05-05" } as const;
  const targets: TestMember[] = [];
  for (const { name, at, wish } of TARGETS) {
    const { longitude, latitude } = stand(middleAround(at));
    targets.push(await service.member(name, { ...her, ...wish, at: [longitude, latitude] }));
  }
  for (let i = 0; i < 9; i++) {
    const { at } = TARGETS[i % TARGETS.length]!;
    const { longitude, latitude } = destination(at.longitude, at.latitude, (i * 1.7) / KM_OF_DEGREE, i);
    await service.member(`bystander_${i}`, { ...her, at: [longitude, latitude] });
  }
  const him = { sex: "male", date_of_birth: "1985-05-05", search_sex: "female" } as const;
  const attacker = await service.member("attacker", { ...him, paid: true });
  return { service, targets, attacker, free: await service.member("free", him) };
}

/**
 * Moves and filters around each target, reads profiles, passes, reverts passes, and likes at the end. Six moves a day count;
 * without rate limits each move has three filters. Once a day a hidden area is drawn near a target and removed later.
 * Returns all responses without signatures of pictures and ids of areas.
 *
 * @param between actions of the targets
 */
async function attack(
  { service, ...env }: TestEnv,
  requests: number,
  between: (round: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const generator = mersenne(20_260_501);
  const random = () => uniformFloat64(generator);
  const responses: string[] = [];
  let { attacker, free } = env;
  let areaId: string | null = null;
  const send = async <C extends Call>(who: TestMember, call: C, input: InputOf<C>) => {
    const { path, ...init } = buildRequest(call, input);
    const response = await who.fetch(path, init);
    const body = await response.text();
    const shown = body.replaceAll(/\/media\/[^"]+/g, "a picture").replaceAll(/[\da-f-]{36}/g, "an id");
    responses.push(
      `${call.name} ${JSON.stringify(call.name === removeHiddenArea.name ? {} : input)}: ${response.status} ${shown}`,
    );
    return body;
  };

  for (let round = 0; responses.length < requests; round++) {
    service.clock.advance(4 * HOUR_MS);
    attacker = await logInAgain(service, attacker);
    if (round % 10 === 0) free = await logInAgain(service, free);
    if (responses.length > requests / 2) await pretendCrowds(service);
    await between(round);

    const target = TARGETS[round % TARGETS.length]!;
    const middle = middleAround(target.at);
    const unit = round % 2 === 0 ? "km" : "mile";
    const border = [0, 5, 8, 10, 25][Math.floor(random() * 5)]! * (unit === "km" ? 1 : 1.609344);
    const km = Math.max(0, border + (random() - 0.5) * 3);
    const here = destination(middle.longitude, middle.latitude, km / KM_OF_DEGREE, random() * 2 * Math.PI);
    await send(attacker, saveLocation, { location: text(here) });
    if (round % 6 === 1) {
      const centre = destination(
        middle.longitude,
        middle.latitude,
        (random() * 12) / KM_OF_DEGREE,
        random() * 6,
      );
      const radius = ([5, 10, 20] as const)[Math.floor(random() * 3)]!;
      const added = await send(attacker, addHiddenArea, { location: text(centre), radius });
      areaId = (JSON.parse(added) as { areas?: { id: string }[] }).areas?.[0]?.id ?? null;
    } else if (round % 6 === 5 && areaId !== null) {
      await send(attacker, removeHiddenArea, { id: areaId });
      areaId = null;
    }
    const away = Math.round(km / (unit === "km" ? 1 : 1.609344));
    for (const [min, max] of [
      [0, away],
      [away, away],
      [Math.min(away + 1, 500), 500],
    ] as const) {
      const filter = { search_range_unit: unit, search_min_range: min, search_max_range: max } as const;
      await send(attacker, saveFilter, filter);
      await send(attacker, getOptions, {});
    }
    await send(attacker, getUser, { userId: target.name });
    if (round % 4 === 0) {
      await send(attacker, passUser, { unlikedId: target.name });
      await send(attacker, getOptions, { ids: "bystander_0,bystander_5" });
      await send(attacker, undoPass, {});
    }
    if (round % 10 === 0) {
      await send(free, saveLocation, { location: text(here) });
      await send(free, getOptions, {});
    }
  }
  for (const { name } of TARGETS) await send(attacker, likeUser, { likedId: name });
  await send(attacker, getOptions, {});
  return responses;
}

/** High counts make the search use probes. */
async function pretendCrowds({ db, ctx }: TestService): Promise<void> {
  await sql`
    insert into cell_counts select distinct far_cell, sex, 1000000 from searchables
    on conflict (far_cell, sex) do update set members = excluded.members`.execute(db);
  clearCellCounts(ctx);
}

test("reveals a member's cell, but never the position in it, to a thousand requests from any position", async () => {
  const [still, moving, elsewhere] = [
    await createEnv(edge(0.2)),
    await createEnv(edge(3.3)),
    await createEnv(nextCell),
  ];
  /** All targets send positions, but only in the second environment they move within their cells. */
  const wander = (env: TestEnv, standAt: (step: number) => Stand) => async (round: number) => {
    if (round % 15 !== 7) return;
    for (const [i, target] of env.targets.entries()) {
      const place = standAt(round + i)(middleAround(TARGETS[i]!.at));
      const awake = await logInAgain(env.service, target);
      await awake.call(saveLocation, { location: text(place) });
    }
  };

  const [seen, seenOfMoving, seenElsewhere] = await Promise.all([
    attack(
      still,
      REQUESTS,
      wander(still, () => edge(0.2)),
    ),
    attack(moving, REQUESTS, wander(moving, edge)),
    attack(elsewhere, FEW_REQUESTS),
  ]);

  expect(seen.length).toBeGreaterThanOrEqual(REQUESTS);
  expect(seenOfMoving).toHaveLength(seen.length);
  expect(seenOfMoving.find((response, i) => response !== seen[i])).toBeUndefined();

  // The attack is effective: it distinguishes neighbouring cells.
  const differing = seenElsewhere.slice(0, FEW_REQUESTS).filter((response, i) => response !== seen[i]);
  expect(differing.length).toBeGreaterThan(20);
  for (const call of ["getUser", "getOptions"])
    expect(differing.filter((response) => response.startsWith(call)).length).toBeGreaterThan(3);
  // A member inside of a drawn area is not there.
  expect(seen.filter((response) => /: (?!20\d|404)/.test(response))).toEqual([]);
  expect(seen.filter((response) => response.startsWith("addHiddenArea")).length).toBeGreaterThan(5);
}, 300_000);
