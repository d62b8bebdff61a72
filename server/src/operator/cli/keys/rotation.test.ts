import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import { pause } from "@alcove/test-services/waiting";
import { DecryptionError } from "../../../platform/keys/cipher.ts";
import { hold } from "../../../testing/hold.ts";
import { match } from "../../../testing/match.ts";
import { ownService } from "../../../testing/service-for-test.ts";
import { environmentOf, operator, startOperator } from "../../../testing/operator.ts";
import { eventually, type TestMember, type TestService } from "../../../testing/test-service.ts";

// Each phase starts several processes.
vi.setConfig({ testTimeout: 240_000 });
const SLOW_MS = 60_000;

const fileOf = ({ dataDir }: TestService) => join(dataDir, "secrets/encryption-keys.json");

async function idsInFile(service: TestService): Promise<string[]> {
  const keys = JSON.parse(await readFile(fileOf(service), "utf8")) as { id: string }[];
  return keys.map(({ id }) => id);
}

async function statesOf({ db }: TestService): Promise<Record<string, string>> {
  const known = await db.selectFrom("master_keys").select(["key_id", "state"]).orderBy("key_id").execute();
  return Object.fromEntries(known.map(({ key_id, state }) => [key_id, state]));
}

async function countWrappedBy({ db }: TestService, masterKey: string): Promise<number> {
  const query = db.selectFrom("data_keys").select("key_id").where("master_key", "=", masterKey);
  return (await query.execute()).length;
}

async function startProcess(service: TestService, variables = {}): Promise<ServerProcess> {
  const server = await startServer({
    ...environmentOf(service),
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    ...variables,
  });
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  return server;
}

const holdTable = (service: TestService) => hold(service.db, "lock table master_keys in share mode");

/** A process that never learns of the new key; `null` removes it. */
async function setSlowProcess({ db }: TestService, keys: string[] | null): Promise<void> {
  const process_id = "00000000-0000-4000-8000-000000000001";
  await db.deleteFrom("server_processes").where("process_id", "=", process_id).execute();
  if (!keys) return;
  const seen_at = sql<Date>`now() + interval '1 hour'`;
  await db
    .insertInto("server_processes")
    .values({ process_id, key_ids: keys, active_key: "k1", seen_at })
    .execute();
}

/** A minute passes for killed processes; living ones report again. */
async function forgetKilled({ db }: TestService): Promise<void> {
  await sql`update server_processes set seen_at = seen_at - interval '2 minutes'
    where seen_at < now() + interval '1 minute'`.execute(db);
}

/** Sends messages and makes new keys (of reports) at every process until stopped. */
function startTraffic(hanako: TestMember, taro: TestMember, urls: () => string[], service: TestService) {
  const sent: string[] = [];
  const failures: unknown[] = [];
  const over = new AbortController();
  const running = (async () => {
    for (let count = 0; !over.signal.aborted; count++) {
      for (const url of urls()) {
        const text = `evening ${count} at ${url}`;
        try {
          await service.memberAt(hanako, url).call(sendDm, { receiverId: "taro", description: text });
          await service
            .memberAt(taro, url)
            .call(reportUser, { userId: "hanako", reason: "other", detail: text });
          sent.push(text);
        } catch (error) {
          if (urls().includes(url)) failures.push(error);
        }
      }
      await pause(50); // more traffic would only delay the starts
    }
  })();
  return {
    sent,
    failures,
    async stop() {
      over.abort();
      await running;
    },
  };
}

test(
  "continues a rotation that was killed in any phase, while two servers serve",
  { tags: "long" },
  async () => {
    const service = await ownService();
    const [hanako, taro, jiro] = await Promise.all(
      ["hanako", "taro", "jiro"].map((name) => service.member(name, { paid: true })),
    );
    await match(hanako!, taro!);
    const dump = {
      key: await service.db
        .selectFrom("data_keys")
        .selectAll()
        .where("key_id", "=", jiro!.memberId)
        .executeTakeFirstOrThrow(),
      member: await service.db
        .selectFrom("members")
        .selectAll()
        .where("member_no", "=", jiro!.memberId)
        .executeTakeFirstOrThrow(),
    };
    await jiro!.call(deleteAccount, {});
    const servers = await Promise.all([startProcess(service), startProcess(service)]);
    let urls = servers.map(({ url }) => url);
    const traffic = startTraffic(hanako!, taro!, () => urls, service);

    const expectAllReadable = async () => {
      expect(traffic.failures).toEqual([]);
      const known = traffic.sent.slice(-40);
      for (const url of [service.url, ...urls]) {
        const { dms } = await service.memberAt(taro!, url).call(getDms, { friendId: "hanako" });
        const texts = new Set(dms.map(({ description }) => description));
        expect(known.filter((text) => !texts.has(text))).toEqual([]);
      }
    };
    /** Rotates until `isReached`, then kills the command and a server. */
    const killWhen = async (isReached: () => Promise<void>, after: () => Promise<unknown>) => {
      const command = startOperator(environmentOf(service), "keys", "rotate");
      const ended = once(command, "close");
      await eventually(isReached, SLOW_MS);
      command.kill("SIGKILL");
      const [killed] = servers.splice(1, 1);
      urls = servers.map(({ url }) => url);
      await killed!.stop("SIGKILL");
      await ended;
      await after();
      await forgetKilled(service);
      await expectAllReadable();
      servers.push(await startProcess(service));
      urls = servers.map(({ url }) => url);
      const count = traffic.sent.length;
      await eventually(() => expect(traffic.sent.length).toBeGreaterThan(count + 4), SLOW_MS);
      await expectAllReadable();
    };

    const first = await holdTable(service);
    await killWhen(async () => {
      expect(await idsInFile(service)).toEqual(["k1", "k2"]);
      expect(await statesOf(service)).toEqual({ k1: "active" });
    }, first.release);

    await setSlowProcess(service, ["k1"]);
    await killWhen(
      async () => expect(await statesOf(service)).toEqual({ k1: "active", k2: "new" }),
      () => setSlowProcess(service, ["k1", "k2"]),
    );

    await killWhen(
      async () => expect(await statesOf(service)).toEqual({ k1: "replaced", k2: "active" }),
      () => setSlowProcess(service, null),
    );

    const key = `select from data_keys where key_id = ${taro!.memberId} for update`;
    const locked = await hold(service.db, key);
    await killWhen(async () => expect(await countWrappedBy(service, "k1")).toBe(1), locked.release);

    const lockedAgain = await hold(service.db, key);
    const last = await holdTable(service);
    await lockedAgain.release();
    await killWhen(async () => expect(await countWrappedBy(service, "k1")).toBe(0), last.release);
    // The statement of the killed command may still run when the lock is released.
    expect((await statesOf(service))["k1"]).toMatch(/^(replaced|retired)$/);

    const ending = await operator(environmentOf(service), "keys", "rotate", "--json");
    expect(ending.problems).toBe("");
    expect(JSON.parse(ending.out)).toMatchObject({
      master_key: "k3",
      next_step: expect.stringMatching(/^copy .* to every other machine, run `keys backup`, and destroy/),
    });
    expect(await idsInFile(service)).toEqual(["k3"]);
    expect(await statesOf(service)).toEqual({ k1: "retired", k2: "retired", k3: "active" });
    await traffic.stop();
    await expectAllReadable();
    await service.db.insertInto("data_keys").values(dump.key).execute();
    await service.ctx.masterKeys.refresh();
    service.ctx.encryption.keys.forget(jiro!.memberId);
    await expect(
      service.ctx.encryption.decrypt(
        dump.member.encrypted_email!,
        `members.encrypted_email:${jiro!.memberId}`,
      ),
    ).rejects.toThrow(DecryptionError);
  },
);

test("covers deletions since an interrupted rotation made its new key active", async () => {
  const service = await ownService();
  const hanako = await service.member("hanako");
  const before = JSON.parse(await readFile(fileOf(service), "utf8")) as object[];
  const rotate = async () => {
    const over = new AbortController();
    const ending = operator(environmentOf(service), "keys", "rotate", "--json");
    void ending.finally(() => over.abort());
    // A server reports its keys every few seconds.
    while (!over.signal.aborted) await service.ctx.masterKeys.refresh();
    return ending;
  };
  expect(await rotate()).toMatchObject({ code: 0 });
  // As if it had been killed before it removed the key from the file.
  const after = JSON.parse(await readFile(fileOf(service), "utf8")) as object[];
  await writeFile(fileOf(service), JSON.stringify([...before, ...after]));
  const dumped = await service.db
    .selectFrom("data_keys")
    .selectAll()
    .where("key_id", "=", hanako.memberId)
    .executeTakeFirstOrThrow();
  await hanako.call(deleteAccount, {});

  expect(await rotate()).toMatchObject({ code: 0 });

  expect(dumped.master_key).toBe("k2");
  expect(await idsInFile(service)).toEqual(["k3"]);
});

test("shows the next value of SEALING_KEYS at each step", { tags: "long" }, async () => {
  const service = await ownService();
  const hanako = await service.member("hanako");
  const [k1] = JSON.parse(await readFile(fileOf(service), "utf8")) as { id: string; key: string }[];
  await service.ctx.masterKeys.close();
  let variables = { SEALING_KEYS: `k1:${k1!.key}` };
  const rotate = async () => {
    const { out, problems } = await operator(
      { ...environmentOf(service), ...variables },
      "keys",
      "rotate",
      "--json",
    );
    expect(problems).toBe("");
    return (JSON.parse(out) as { next_step: string | null }).next_step;
  };

  const [, addition] = /^append (,k2:\S{44}) to SEALING_KEYS/.exec((await rotate())!)!;
  variables = { SEALING_KEYS: variables.SEALING_KEYS + addition };
  const server = await startProcess(service, variables);
  expect(await rotate()).toMatch(/^remove k1 from SEALING_KEYS of every server/);
  expect(await rotate()).toMatch(/^remove k1 /);
  await server.stop();
  variables = { SEALING_KEYS: addition!.slice(1) };
  const last = await startProcess(service, variables);

  expect(await rotate()).toMatch(/^append ,k3:/);
  expect((await service.memberAt(hanako, last.url).fetch("/en/users/api/user")).status).toBe(200);
  expect(await countWrappedBy(service, "k1")).toBe(0);
});
