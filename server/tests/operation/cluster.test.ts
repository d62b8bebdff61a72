import { getOptions, likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { findFlaws, findObstacles } from "../../src/operator/cli/cluster/problems.ts";
import { CLUSTER, runAsSuperuser } from "../../src/testing/cluster-database.ts";
import { environmentOf, operator } from "../../src/testing/operator.ts";
import { testService, type TestService } from "../../src/testing/test-service.ts";

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

  test("is distributed by a role without superuser rights", async () => {
    const isSuperuser = await sql<{ usesuper: boolean }>`
      select usesuper from pg_user where usename = current_user`.execute(service.db);
    const distributed = await operator(environmentOf(service), "cluster", "distribute");

    expect(isSuperuser.rows).toEqual([{ usesuper: false }]);
    expect(distributed).toMatchObject({ code: 0, problems: "" });
  });

  test("names a node that does not log errors", async () => {
    const [coordinator = ""] = CLUSTER;
    const role = new URL(service.databaseUrl).username;
    const change = (statement: string) =>
      runAsSuperuser(coordinator, role, `alter database ${role} ${statement}`);

    await change("set log_min_messages = 'fatal'");
    const { out } = await operator(environmentOf(service), "cluster", "status");
    await change("reset log_min_messages");

    expect(out).toContain(`Deadlocks get no error of their own on ${new URL(coordinator).host}`);
  });

  describe("names the statement for a missing right", () => {
    const change = (node: string, statement: string) => runAsSuperuser(node, "postgres", statement);
    const addressOf = (node: string) => new URL(node).host;
    let role = "";
    beforeAll(() => {
      role = new URL(service.databaseUrl).username;
    });

    test("to create tables on a worker", async () => {
      const [, worker = ""] = CLUSTER;
      await change(worker, `alter database ${role} owner to postgres`);

      const problems = await findObstacles(service.db);

      const statement = `alter database ${role} owner to ${role}`;
      await change(worker, statement);
      expect(problems).toEqual([
        `The role ${role} may not create tables on ${addressOf(worker)}: run \`${statement}\` there as a superuser, in its database postgres.`,
      ]);
      expect(await findObstacles(service.db)).toEqual([]);
    });

    test("to log in to a worker", async () => {
      const [, , worker = ""] = CLUSTER;
      await change(worker, `alter role ${role} nologin`);

      const problems = await findObstacles(service.db);

      await change(worker, `alter role ${role} login`);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(`The node ${addressOf(worker)} does not respond to the role ${role}`);
      expect(await findObstacles(service.db)).toEqual([]);
    });

    test("to distribute a table", async () => {
      const [coordinator = ""] = CLUSTER;
      const inDatabase = (statement: string) => runAsSuperuser(coordinator, role, statement);
      await inDatabase("create table restored (member_no int8)");

      const problems = await findObstacles(service.db);

      const statement = `alter table restored owner to ${role}`;
      await inDatabase(statement);
      expect(problems).toEqual([
        `Tables belong to another role: run \`${statement}\` as a superuser in this database on the coordinator.`,
      ]);
      expect(await findObstacles(service.db)).toEqual([]);
    });
  });
});
