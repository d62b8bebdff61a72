import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Call } from "@alcove/contract";
import { deleteAccount, exportData, getOwnUser } from "@alcove/contract/accounts";
import {
  getClearIconViewers,
  getOptions,
  getUser,
  likeUser,
  passUser,
  saveLocation,
  saveLocationPrecision,
  undoPass,
} from "@alcove/contract/discovery";
import { getDms, getLastDms, readDm, sendDm } from "@alcove/contract/messaging";
import { getNotifications } from "@alcove/contract/notifications";
import { saveFilter } from "@alcove/contract/profiles";
import { buildRequest } from "@alcove/contract/request";
import {
  addNeverSee,
  blockUser,
  getBlocks,
  getNeverSee,
  removeNeverSee,
  reportUser,
  unblockUser,
} from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { restoreMember, suspendMember } from "../../src/accounts/index.ts";
import { findAnyMember } from "../../src/members/find-member.ts";
import { DAY_MS, MINUTE_MS } from "../../src/platform/clock.ts";
import { logInAgain } from "../../src/testing/log-in-again.ts";
import { seededRandom } from "../../src/testing/seeded-random.ts";
import { ownService } from "../../src/testing/service-for-test.ts";
import {
  eventually,
  type TestMember,
  type TestService,
  type TestSocket,
} from "../../src/testing/test-service.ts";

/*
 * Hanako and Jiro are two accounts of an attacker who knows Taro's address. The same random history runs on two services. On
 * one of them Hanako names Taro, on the other nobody. No response and no frame of a socket may differ.
 *
 * Taro acts on Hanako only while the two are matched. Otherwise he sees her on one of the services only, so that a person in
 * his place would act differently.
 */

const HISTORIES = 4;
const STEPS = 40;
const TOKYO = [139.7671, 35.6812] as const;
const CAST = ["hanako", "jiro", "taro", "yuki", "goro", "aiko"] as const;
type Name = (typeof CAST)[number];
const SEXES = {
  hanako: "female",
  jiro: "male",
  taro: "male",
  yuki: "female",
  goro: "male",
  aiko: "female",
} as const;

class World {
  readonly service: TestService;
  readonly members = new Map<Name, TestMember>();
  readonly names: readonly string[];
  readonly sockets: TestSocket[] = [];

  private constructor(service: TestService, names: readonly string[]) {
    this.service = service;
    this.names = names;
  }

  static async start(names: readonly string[]): Promise<World> {
    const world = new World(
      await ownService({ config: { passwordPepper: "a pepper for both worlds" } }),
      names,
    );
    world.service.clock.set("2026-05-05T12:00:00Z");
    for (const name of CAST) await world.join(name);
    await world.listen();
    return world;
  }

  async join(name: Name): Promise<void> {
    this.members.set(
      name,
      await this.service.member(name, {
        paid: name !== "jiro",
        sex: SEXES[name],
        search_sex: "all",
        search_max_age: 140,
      }),
    );
  }

  async listen(): Promise<void> {
    for (const name of ["hanako", "jiro"] as const)
      this.sockets.push(await this.members.get(name)!.socket("/ws/events"));
  }

  async wait(ms: number): Promise<void> {
    this.service.clock.advance(ms);
    for (const [name, member] of this.members) {
      const { rows } = await sql<{ active: boolean }>`
        select account_status = 'active' as active from members where member_no = ${member.memberId}`.execute(
        this.service.db,
      );
      if (rows[0]?.active) this.members.set(name, await logInAgain(this.service, member));
    }
    await this.listen();
  }

  /** Status and body without random ids and signed URLs. */
  async respond(by: Name, call: Call, input: Record<string, unknown>): Promise<string> {
    const { path, ...request } = buildRequest(call, input as never);
    const response = await this.members.get(by)!.fetch(path, request);
    const body =
      response.headers.get("content-type") === "application/zip"
        ? (await readZip(new Uint8Array(await response.arrayBuffer()))).get("data.json")!.toString()
        : await response.text();
    await this.settle();
    return `${by} ${call.name} ${JSON.stringify(input)}: ${response.status} ${comparable(body)}`;
  }

  async settle(): Promise<void> {
    await eventually(async () => {
      const { rows } = await sql`
        select from graphile_worker.jobs where attempts = 0 or locked_at is not null`.execute(
        this.service.db,
      );
      expect(rows).toEqual([]);
    });
  }

  async areMatched(one: Name, other: Name): Promise<boolean> {
    const row = await this.service.db
      .selectFrom("match_edges")
      .select("day")
      .where("member_no", "=", this.members.get(one)!.memberId)
      .where("other_no", "=", this.members.get(other)!.memberId)
      .executeTakeFirst();
    return row !== undefined;
  }
}

function comparable(text: string): string {
  return text.replace(/[\w-]{30,}(?:\.[\w-]+)*/g, "…").replaceAll(/"(?:email|handle)"/g, "…");
}

type Step = (world: World) => Promise<string>;

/** Draws a step for both services. `areMatched`: Taro and Hanako. */
function drawStep(random: () => number, areMatched: boolean, taro: "active" | "suspended" | undefined): Step {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const attacker = pick(["hanako", "hanako", "jiro"] as const);
  const someone = random() < 0.6 ? "taro" : pick(CAST.filter((name) => name !== attacker));
  const says =
    (by: Name, call: Call, input: Record<string, unknown>): Step =>
    (world) =>
      world.respond(by, call, input);
  const quietly =
    (by: Name, call: Call, input: Record<string, unknown>): Step =>
    async (world) =>
      `${(await world.respond(by, call, input)).split(":")[0]}`;
  const location = TOKYO.map((degrees) => degrees + (random() - 0.5) * 0.6).join(",");

  // Drawn here, the same for both services.
  const nameNo = random() < 0.5 ? 0 : 1;
  const days = pick([1 / 24, 1, 31, 95]);

  const ofAttacker: Step[] = [
    says(attacker, getOptions, {}),
    says(attacker, getOptions, { ids: someone }),
    says(attacker, getUser, { userId: someone }),
    says(attacker, likeUser, { likedId: someone }),
    says(attacker, passUser, { unlikedId: someone }),
    says(attacker, undoPass, {}),
    says(attacker, blockUser, { userId: someone }),
    says(attacker, unblockUser, { userId: someone }),
    says(attacker, reportUser, { userId: someone, reason: "other" }),
    says(attacker, getLastDms, {}),
    says(attacker, getDms, { friendId: someone }),
    says(attacker, sendDm, { receiverId: someone, description: "Good evening." }),
    says(attacker, readDm, { friendId: someone }),
    says(attacker, getBlocks, {}),
    says(attacker, getClearIconViewers, {}),
    says(attacker, getNotifications, {}),
    says(attacker, getNeverSee, {}),
    says(attacker, getOwnUser, {}),
    says(attacker, exportData, {}),
    says(attacker, saveFilter, { search_max_range: Math.floor(100 + random() * 400), search_max_age: 140 }),
    says(attacker, saveLocation, { location }),
    says(attacker, saveLocationPrecision, { location_precision: pick(["cell", "town", "region"]) }),
    async (world) =>
      (await world.respond("hanako", addNeverSee, { who: world.names[nameNo]! })).replace(/\{.*?\}/, "…"),
    async (world) => {
      const entries = await world.service.db
        .selectFrom("never_see")
        .selectAll()
        .orderBy("sequence_no")
        .execute();
      const id = entries[0]?.entry_id ?? "01890a5d-ac96-774b-bcce-b302099a8057";
      return (await world.respond("hanako", removeNeverSee, { id })).replace(id, "…");
    },
  ];
  const other = pick(["yuki", "goro", "aiko"] as const);
  const ofOthers: Step[] = [
    quietly(other, likeUser, { likedId: pick(CAST) }),
    quietly(other, passUser, { unlikedId: pick(CAST) }),
    quietly(other, getOptions, {}),
    async (world) => {
      await world.wait(days * DAY_MS);
      return `after ${days} days`;
    },
  ];
  const partner = areMatched
    ? pick(["hanako", "jiro", "yuki", "aiko"] as const)
    : pick(["jiro", "yuki", "aiko"] as const);
  const ofTaro: Step[] = [
    quietly("taro", getOptions, {}),
    quietly("taro", likeUser, { likedId: partner }),
    quietly("taro", passUser, { unlikedId: partner }),
    quietly("taro", sendDm, { receiverId: partner, description: "Good evening." }),
    quietly("taro", readDm, { friendId: partner }),
    quietly("taro", blockUser, { userId: partner }),
    quietly("taro", saveLocation, { location }),
    quietly("taro", saveFilter, { search_max_range: 300 }),
  ];
  const suspends: Step = async (world) => {
    await suspendMember(world.service.ctx, world.members.get("taro")!.memberId);
    return "suspended";
  };
  const restores: Step = async (world) => {
    await restoreMember(world.service.ctx, world.members.get("taro")!.memberId);
    world.members.set("taro", await logInAgain(world.service, world.members.get("taro")!));
    return "restored";
  };
  const deletes: Step = async (world) => {
    await world.respond("taro", deleteAccount, {});
    return "deleted";
  };
  const joins: Step = async (world) => {
    // As 90 days after the deletion, when the user id is free again.
    await world.service.db.deleteFrom("former_user_ids").execute();
    await world.join("taro");
    await world.settle();
    return "joined";
  };
  const chance = random();
  if (taro !== "active" && chance < 0.4) return taro === "suspended" ? restores : joins;
  if (taro === "active" && chance < 0.06) return chance < 0.03 ? suspends : deletes;
  return pick(pick(taro === "active" ? [ofAttacker, ofAttacker, ofOthers, ofTaro] : [ofAttacker, ofOthers]));
}

/** The views that an attacker compares after each step. */
async function look(world: World): Promise<string[]> {
  return [
    await world.respond("hanako", getOptions, {}),
    await world.respond("hanako", getUser, { userId: "taro" }),
    await world.respond("hanako", getLastDms, {}),
    await world.respond("jiro", getOptions, {}),
  ];
}

test.each(Array.from({ length: HISTORIES }, (_, i) => i + 1))(
  "responds alike to an attacker who named another member and one who named nobody, in random history %i",
  { tags: "long", timeout: 300_000 },
  async (seed) => {
    const worlds = await Promise.all(
      [
        ["taro", "taro@example.com"],
        ["nobody", "nobody@example.com"],
      ].map((names) => World.start(names)),
    );
    const random = seededRandom(seed);
    const history: string[] = [];
    const likesBefore = Math.floor(random() * 4);
    for (const world of worlds) {
      if (likesBefore & 1) await world.respond("taro", likeUser, { likedId: "hanako" });
      if (likesBefore & 2) await world.respond("hanako", likeUser, { likedId: "taro" });
      await world.respond("hanako", addNeverSee, { who: world.names[1] });
    }
    for (let step = 0; step < STEPS; step++) {
      const [areMatched, areMatchedToo] = await Promise.all(
        worlds.map((world) => world.areMatched("taro", "hanako")),
      );
      expect([history, areMatched]).toEqual([history, areMatchedToo]);
      const taro = await findAnyMember(worlds[0]!.service.ctx, "taro");
      const next = drawStep(random, areMatched!, taro?.accountStatus);
      const outcomes = await Promise.all(
        worlds.map(async (world) => [await next(world), ...(await look(world))]),
      );
      history.push(outcomes[0]![0]!);
      expect([history.slice(-12), outcomes[1]]).toEqual([history.slice(-12), outcomes[0]]);
      for (const world of worlds) world.service.clock.advance(MINUTE_MS / 60);
    }
    const frames = worlds.map(({ sockets }) =>
      sockets.map(({ frames: sent, closed }) => [comparable(JSON.stringify(sent)), closed]),
    );
    expect(frames[0]).toEqual(frames[1]);
  },
);
