import { getOptions, likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { findFlaws, findObstacles } from "../cli/cluster/problems.ts";
import { CLUSTER } from "./cluster-database.ts";
import { testService, type TestService } from "./test-service.ts";

test("names the missing extension when the database is no cluster", async () => {
  const { db } = await testService();

  const [problem = ""] = await findObstacles(db);

  expect(problem.includes("The extension citus is missing")).toBe(CLUSTER.length === 0);
});

describe.runIf(CLUSTER.length > 0)("on a Citus cluster", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });

  test("has nothing missing after the distribution", async () => {
    expect([await findObstacles(service.db), await findFlaws(service.db)]).toEqual([[], []]);
  });

  test("shows candidate cards, and stores a match and a message", async () => {
    const hanako = await service.member("hanako", { paid: true });
    const taro = await service.member("taro", { paid: true });

    expect((await hanako.call(getOptions, {})).options.map(({ user_id }) => user_id)).toEqual(["taro"]);
    await hanako.call(likeUser, { likedId: "taro" });
    expect(await taro.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
    await hanako.call(sendDm, { receiverId: "taro", description: "Good evening." });

    const messages = await sql`select from messages`.execute(service.db);
    expect(messages.rows).toHaveLength(1);
  });
});
