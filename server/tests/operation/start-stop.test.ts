import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { sql } from "kysely";
import { exportData, getOwnUser } from "@alcove/contract/accounts";
import { saveLocation } from "@alcove/contract/discovery";
import { createClient, signUp } from "@alcove/test-services/client";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import { behindProxy, StartError, startServer, type ServerProcess } from "@alcove/test-services/server";
import { connect as connectToDatabase, connectAlone } from "../../src/platform/db/database.ts";
import { openLog } from "../../src/platform/log.ts";
import { dumpTables } from "../../src/testing/data-traces.ts";
import { hold } from "../../src/testing/hold.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { operator } from "../../src/testing/operator.ts";
import { runningPostgresUrl } from "../../src/platform/embedded-postgres/server.ts";
import { eventually, openSocket } from "../../src/testing/test-service.ts";

// A start creates a whole database on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

/** The data folder of a server that has stopped. */
let used: Promise<string> | undefined;
let folder: string;
let dataDir: string;
/** Outside of the data folder. */
let secretsDir: string;
let mailbox: Mailbox;
const started: ServerProcess[] = [];

afterAll(async () => used && rm(await used, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "alcove-start-"));
  dataDir = join(folder, "data");
  secretsDir = join(folder, "secrets");
  mailbox = await startMailbox();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop("SIGKILL")));
  await mailbox.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(variables: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({
    DATA_DIR: dataDir,
    BOT_CHECK: "off",
    SMTP_URL: mailbox.url,
    ...variables,
  });
  started.push(server);
  return server;
}

async function useFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "alcove-used-"));
  const server = await startServer({ DATA_DIR: path, BOT_CHECK: "off" });
  await server.stop();
  return path;
}

/** Starts with a copy of a used data folder, which takes a third of the time of a new one. */
async function startAgain(variables: Record<string, string> = {}): Promise<ServerProcess> {
  await promisify(execFile)("cp", ["-a", await (used ??= useFolder()), dataDir]); // with the owner of the database
  return start(variables);
}

async function startErrorWith(variables: Record<string, string>): Promise<StartError> {
  const outcome = await start(variables).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StartError);
  return outcome as StartError;
}

const hasPostgres = (): boolean => existsSync(join(dataDir, "postgres/data/postmaster.pid"));

/** Sends the beginning of a login request. */
async function beginLogin(url: string): Promise<{ socket: Socket; finish(): Promise<string> }> {
  const body = JSON.stringify({ user_id: "hanako", password: "quiet evenings at home" });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let response = "";
  socket.on("data", (data) => (response += String(data)));
  socket.write(
    `POST /en/api/token/ HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.slice(0, 10));
  const ended = once(socket, "close");
  return {
    socket,
    async finish() {
      socket.write(body.slice(10));
      await ended;
      return response;
    },
  };
}

test("prints its URL once when everything is up", { tags: "long" }, async () => {
  const server = await start();

  const ready = await fetch(`${server.url}/readyz`);

  expect(await ready.json()).toEqual({ ok: true, database: true, bus: true });
  expect(server.output().match(/Alcove is ready at http:\/\/127\.0\.0\.1:\d+\n/g)).toHaveLength(1);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  test(
    `${signal} completes requests, closes sockets, stops the database and exits with 0`,
    {
      tags: signal === "SIGTERM" ? [] : "long",
    },
    async () => {
      const server = await start();
      const hanako = await signUp(server.url, mailbox, signUpForm("hanako"));
      const socket = await openSocket(`${server.url.replace("http", "ws")}/ws/events?token=${hanako.access}`);
      const login = await beginLogin(server.url);
      // Browsers open idle connections.
      const { hostname, port } = new URL(server.url);
      const silent = connect(Number(port), hostname);
      await once(silent, "connect");
      await (await fetch(`${server.url}/healthz`)).text();

      const ending = server.stop(signal);
      await eventually(() => expect(socket.closed).toBe(1001));
      const response = await login.finish();

      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(response).toContain('"access"');
      expect(await ending).toEqual({ code: 0, signal: null });
      expect(hasPostgres()).toBe(false);
    },
  );

test("reports that it is not ready for DRAIN_SECONDS, and serves meanwhile", { tags: "long" }, async () => {
  const server = await startAgain({ DRAIN_SECONDS: "2" });

  const ending = server.stop();
  await eventually(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(503));
  const page = await fetch(`${server.url}/healthz`);
  const exit = await ending;

  expect(page.headers.get("connection")).toBe("close");
  expect(page.status).toBe(200);
  expect(exit).toEqual({ code: 0, signal: null });
});

/** A server with requests of each kind that wait for the database. */
async function startWithWaitingRequests() {
  const server = await startAgain();
  const hanako = await signUp(server.url, mailbox, signUpForm("hanako"));
  const { icon } = (await hanako.call(getOwnUser, {})).user;
  const { db, close } = connectToDatabase(runningPostgresUrl(dataDir)!, openLog("silent"));
  const { release } = await hold(db, "lock table sessions in access exclusive mode");
  const clients = new AbortController();
  const { signal } = clients;
  const move = { method: "PATCH", body: new URLSearchParams({ location: "139.7,35.6" }), signal };
  const requests = Array.from({ length: 6 }, () => [
    hanako.fetch(icon, { signal }),
    hanako.fetch(`/en${saveLocation.path}`, move),
    hanako.fetch(`/en${exportData.path}`, { signal }),
  ]);
  const statuses = Promise.allSettled(
    requests.flat().map(async (request) => {
      const response = await request;
      await response.bytes();
      return response.status;
    }),
  );
  const count = async (condition: string) =>
    (await sql`select from pg_stat_activity where ${sql.raw(condition)}`.execute(db)).rows.length;
  await eventually(async () => expect(await count("wait_event_type = 'Lock'")).toBeGreaterThan(0));
  return {
    server,
    statuses,
    count,
    leave: () => clients.abort(),
    release: async () => {
      await release();
      await close();
    },
  };
}

test("responds to all requests that it has accepted when it stops", async () => {
  const { server, statuses, release } = await startWithWaitingRequests();

  const ending = server.stop();
  await eventually(() => expect(fetch(`${server.url}/healthz`)).rejects.toThrow());
  await release();

  const responses = (await statuses).filter(({ status }) => status === "fulfilled");
  expect(responses.length).toBeGreaterThan(0);
  for (const response of responses) expect(response).toMatchObject({ value: 200 });
  expect(await ending).toEqual({ code: 0, signal: null });
  expect(server.output()).not.toMatch(/"level":[56]0|"status":500/);
});

test("closes the database after requests whose clients have left", async () => {
  const { server, statuses, count, leave, release } = await startWithWaitingRequests();

  leave();
  await statuses;
  const ending = server.stop();
  // Then it waits for nothing but the requests.
  await eventually(async () => expect(await count("application_name = 'alcove jobs'")).toBe(0));
  await release();

  expect(await ending).toEqual({ code: 0, signal: null });
  expect(server.output()).not.toMatch(/"level":[56]0|"status":500/);
});

test("stops in order when its parent process ends", { tags: "long" }, async () => {
  const server = await startAgain();

  expect(await server.closeChannel()).toEqual({ code: 0, signal: null });
  expect(hasPostgres()).toBe(false);
});

test("keeps all data after an orderly stop and after kill -9", { tags: "long" }, async () => {
  let server = await startAgain();
  const hanako = await signUp(server.url, mailbox, signUpForm("hanako"));

  for (const signal of ["SIGTERM", "SIGKILL", "SIGKILL"] as const) {
    await server.stop(signal);
    server = await start();
    const back = createClient(server.url, hanako.access);
    const { user } = await back.call(getOwnUser, {});
    const icon = await back.fetch(user.icon);

    expect(user.email).toBe("hanako@example.com");
    expect(icon.headers.get("content-type")).toBe("image/jpeg");
  }
});

test(
  "ends a second server in the same folder with a message while the first continues",
  { tags: "long" },
  async () => {
    const server = await startAgain();

    const { output, ending } = await startErrorWith({});

    expect(ending.code).toBe(1);
    expect(output).toMatch(/could not start\.\nDATA_DIR: another Alcove is running[^\n]*\n$/);
    expect(output).toContain(dataDir);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  },
);

test("names all invalid settings before any change", async () => {
  const { output, ending } = await startErrorWith({
    PORT: "http",
    BOT_CHECK: "maybe",
    DAY_TIME_ZONE: "Mars/Olympus",
    SEALING_KEYS: "k1:c2hvcnQ=",
    DATABASE_URL: "mysql://localhost/alcove",
  });

  expect(ending).toEqual({ code: 1, signal: null });
  for (const name of ["PORT", "BOT_CHECK", "DAY_TIME_ZONE", "SEALING_KEYS", "DATABASE_URL"]) {
    expect(output).toContain(`${name} must be`);
  }
  expect(output).not.toMatch(/\bat .*\.ts:\d/);
  expect(output).not.toContain("c2hvcnQ=");
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  ["a data folder that cannot be made", { DATA_DIR: "/proc/nope" }, "DATA_DIR /proc/nope"],
  ["an address that is none", { HOST: "999.1.1.1" }, "HOST 999.1.1.1"],
  ["an address of another machine", { HOST: "203.0.113.7" }, "HOST 203.0.113.7"],
])(
  "%s ends the start with one sentence that names the setting",
  { tags: "long" },
  async (_, variables, named) => {
    const { output, ending } = await startErrorWith({ ...(await behindProxy(secretsDir)), ...variables });

    expect(ending).toEqual({ code: 1, signal: null });
    expect(output.split("could not start.\n")[1]).toMatch(new RegExp(`^${named} [^\n]*\n$`));
    expect(hasPostgres()).toBe(false);
  },
);

test("names an incomplete secrets file without its content", { tags: "long" }, async () => {
  await mkdir(secretsDir);
  await writeFile(join(secretsDir, "secrets.json"), '{"token":"sesame-7');

  const { output } = await startErrorWith({ SECRETS_DIR: secretsDir });

  expect(output).toMatch(/^SECRETS_DIR: .*secrets\.json is damaged[^\n]*\n$/m);
  expect(output).not.toContain("sesame");
});

test("stops the database and exits when the port is taken", { tags: "long" }, async () => {
  const taken = await startAgain();

  const other = await mkdtemp(join(tmpdir(), "alcove-start-"));
  const { output, ending } = await startErrorWith({ DATA_DIR: other, PORT: new URL(taken.url).port });

  expect(ending.code).toBe(1);
  expect(output).toMatch(/^PORT \d+ of 127\.0\.0\.1 is in use/m);
  expect(existsSync(join(other, "postgres/data/postmaster.pid"))).toBe(false);
  await rm(other, { recursive: true, force: true });
});

test(
  "rejects a data folder of another schema with one sentence and changes nothing",
  { tags: "long" },
  async () => {
    const server = await startAgain();
    await changeSchema(runningPostgresUrl(dataDir)!);
    await server.stop();

    const { output, ending } = await startErrorWith({});
    const command = await operator({ DATA_DIR: dataDir }, "members", "show", "nobody");

    const sentence = `DATA_DIR: ${dataDir} has the schema of another version: run that version, or remove the folder to begin anew.\n`;
    expect(output.split("could not start.\n")[1]).toBe(sentence);
    expect(ending).toEqual({ code: 1, signal: null });
    expect(hasPostgres()).toBe(false);
    expect(command).toEqual({ code: 1, out: "", problems: sentence });
  },
);

test("rejects a database of another schema with one sentence", { tags: "long" }, async () => {
  const { databaseUrl } = await serviceForTest();
  await changeSchema(databaseUrl);
  // The test's own server reports that it runs.
  const dump = async () =>
    (await dumpTables(databaseUrl)).filter(({ name }) => name !== "public.server_processes");
  const before = await dump();

  const { output } = await startErrorWith({ DATABASE_URL: databaseUrl });

  expect(output.split("could not start.\n")[1]).toMatch(
    /^DATABASE_URL: the database has the schema of another version: [^\n]*\n$/,
  );
  expect(await dump()).toEqual(before);
});

/** As if one migration had been edited after it ran. */
async function changeSchema(databaseUrl: string): Promise<void> {
  const { client, close } = await connectAlone(databaseUrl);
  const { rowCount } = await client.query(
    "update kysely_migration set name = '0001_members_0123456789ab' where name ~ '^0001_members_[0-9a-f]{12}$'",
  );
  await close();
  expect(rowCount).toBe(1);
}

test("exits without the password when the database does not respond", { tags: "long" }, async () => {
  const { output, ending } = await startErrorWith({
    DATABASE_URL: "postgres://alcove:sesame-7@127.0.0.1:9/alcove",
  });

  expect(ending.code).toBe(1);
  expect(output).toContain("could not start");
  expect(output).not.toContain("sesame-7");
});

test("deletes emails of the outbox that are older than a day when it starts", { tags: "long" }, async () => {
  const outbox = join(dataDir, "outbox");
  await mkdir(outbox, { recursive: true });
  const ages = { "old.eml": 24.1, ".old.draft": 48, "new.eml": 23.9 };
  for (const [name, hours] of Object.entries(ages)) {
    await writeFile(join(outbox, name), "To: hanako@example.com");
    const at = Date.now() / 1_000 - hours * 3_600;
    await utimes(join(outbox, name), at, at);
  }

  await start();

  expect(await readdir(outbox)).toEqual(["new.eml"]);
});

test("creates secrets once, readable by their owner only", { tags: "long" }, async () => {
  const server = await start();
  const secrets = await readSecretFiles(join(dataDir, "secrets"));
  await server.stop();
  await start();

  expect(await readSecretFiles(join(dataDir, "secrets"))).toEqual(secrets);
  expect(secrets.map(({ name }) => name)).toEqual(["encryption-keys.json", "secrets.json", "vapid.json"]);
  for (const { mode, text } of secrets) {
    expect(mode).toBe(0o600);
    for (const [, secret] of text.matchAll(/"([^"]{32,})"/g)) expect(server.output()).not.toContain(secret);
  }
});

async function readSecretFiles(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const path = join(folder, name);
      return { name, mode: (await stat(path)).mode & 0o777, text: await readFile(path, "utf8") };
    }),
  );
}
