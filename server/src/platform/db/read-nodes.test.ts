import pg from "pg";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { calls, type Call } from "@alcove/contract";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveLocation } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { startNetworkProxy, type NetworkProxy } from "@alcove/test-services/network-proxy";
import { urlsOfNodes } from "../../testing/cluster-database.ts";
import { hanakoAndTaro, serviceForTest } from "../../testing/match.ts";
import { recordStatementsWithValues } from "../../testing/statements.ts";
import {
  CallError,
  eventually,
  testService,
  type TestMember,
  type TestService,
} from "../../testing/test-service.ts";
import { openLog } from "../log.ts";
import { connect } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";
import { connectToReadNodes } from "./read-nodes.ts";

/** For calls that need fields. */
const INPUTS: Readonly<Record<string, Record<string, string>>> = {
  getUser: { userId: "taro" },
  getDms: { friendId: "taro" },
  getOrder: { order_id: "00000000-0000-4000-8000-000000000000" },
};

let service: TestService;
let people: { hanako: TestMember; taro: TestMember };
beforeAll(async () => {
  service = await testService();
  people = await hanakoAndTaro(service);
});

/** Two more addresses of the database; on a cluster those of its workers. */
async function startNodes(): Promise<[NetworkProxy, NetworkProxy]> {
  const [one, other] = await Promise.all(urlsOfNodes(service.databaseUrl).map(startNetworkProxy));
  onTestFinished(async () => void (await Promise.all([one!.close(), other!.close()])));
  return [one!, other!];
}

async function serviceWith(nodes: readonly NetworkProxy[]): Promise<TestService> {
  return serviceForTest({ beside: service, config: { databaseReadUrls: nodes.map(({ url }) => url) } });
}

const portOf = (url: string) => Number(new URL(url).port);

/** Ports of the databases that `act` sends statements to. */
async function portsOf(act: () => Promise<unknown>): Promise<Set<number>> {
  return new Set((await recordStatementsWithValues(act)).map(({ port }) => port));
}

test("runs each read-only call on the nodes in turn, and others on the coordinator", async () => {
  const nodes = await startNodes();
  const there = await serviceWith(nodes);
  const hanako = there.meet(people.hanako);
  const readOnly = calls.filter(({ isReadOnly }) => isReadOnly);
  const callAll = async () => {
    for (const call of readOnly) {
      await hanako.call<Call>(call, INPUTS[call.name] ?? {}).catch((error: unknown) => {
        if (!(error instanceof CallError && error.code === "order_not_found")) throw error;
      });
    }
  };
  await callAll(); // reads keys from the coordinator

  expect(readOnly.length).toBeGreaterThan(10);
  const ports = new Set(nodes.map(({ url }) => portOf(url)));
  await eventually(async () => expect(await portsOf(callAll)).toEqual(ports)); // jobs use the coordinator at times
  expect(await portsOf(() => hanako.call(saveLocation, { location: "139.9,35.7" }))).toEqual(
    new Set([portOf(service.databaseUrl)]),
  );
});

test("reads each message on any node right after it was sent", async () => {
  const there = await serviceWith(await startNodes());
  const hanako = there.meet(people.hanako);
  const taro = there.meet(people.taro);

  for (let i = 0; i < 20; i++) {
    await hanako.call(sendDm, { receiverId: "taro", description: `message ${i}` });
    const { dms } = await taro.call(getDms, { friendId: "hanako" });
    expect(dms.at(-1)!.description).toBe(`message ${i}`);
  }
});

test("serves every read while a node cannot be reached, and while none can", async () => {
  const nodes = await startNodes();
  const there = await serviceWith(nodes);
  const hanako = there.meet(people.hanako);
  const readOften = () => Promise.all(Array.from({ length: 20 }, () => hanako.call(getOwnUser, {})));
  await readOften();

  nodes[0].cut();
  expect(await portsOf(readOften)).toContain(portOf(nodes[1].url));
  nodes[1].cut();
  await readOften();
  expect(await portsOf(readOften)).toEqual(new Set([portOf(service.databaseUrl)]));
});

test("repeats a read on the coordinator when its node is lost meanwhile", async () => {
  const nodes = await startNodes();
  const there = await serviceWith(nodes);
  const hanako = there.meet(people.hanako);
  await hanako.call(getOwnUser, {});

  for (const node of nodes) node.slow(Infinity);
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  const reading = hanako.call(getOwnUser, {});
  const ports = () => (query.mock.contexts as pg.Client[]).map(({ port }) => port);
  const isNode = (port: number) => nodes.some(({ url }) => portOf(url) === port);
  await eventually(() => expect(ports().some(isNode)).toBe(true));
  for (const node of nodes) node.cut();

  expect((await reading).user.user_id).toBe("hanako");
});

test("rejects a write, and returns to a node after its pause", async () => {
  const [node] = await startNodes();
  const { pool } = connect(service.databaseUrl, openLog("silent"), { size: 2 });
  onTestFinished(() => pool.end());
  const reads = connectToReadNodes([node.url], pool, openLog("silent"), { size: 2, pauseMs: 20 });
  onTestFinished(() => reads.close());
  const read = () => reads.db.selectFrom("members").select("member_no").execute();

  await expect(reads.db.deleteFrom("rate_limits").execute()).rejects.toMatchObject({ code: "25006" });
  node.cut();
  await eventually(read);
  expect(await portsOf(read)).toEqual(new Set([portOf(service.databaseUrl)]));
  node.mend();
  await eventually(async () => expect(await portsOf(read)).toEqual(new Set([portOf(node.url)])));
});

test("leaves out a node that stops responding without closing connections, and returns to it", async () => {
  const [node] = await startNodes();
  const { pool } = connect(service.databaseUrl, openLog("silent"), { size: 2 });
  onTestFinished(() => pool.end());
  const timeouts = { connectionTimeoutMs: 500, responseTimeoutMs: 500, pauseMs: 1000 };
  const reads = connectToReadNodes([node.url], pool, openLog("silent"), { size: 2, ...timeouts });
  onTestFinished(() => reads.close());
  const read = () => reads.db.selectFrom("members").select("member_no").execute();
  await read();

  node.slow(Infinity);
  await expect(read()).rejects.toBeInstanceOf(DatabaseUnavailableError); // a call repeats this on the coordinator
  expect(await portsOf(read)).toEqual(new Set([portOf(service.databaseUrl)]));
  node.mend();
  await eventually(async () => expect(await portsOf(read)).toEqual(new Set([portOf(node.url)])));
});
