import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startPostgres } from "./server.ts";

let dataDir: string;
let running: { stop(): Promise<void> }[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "alcove-postgres-"));
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  running = [];
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startPostgres({ dataDir });
  running.push(server);
  return server;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // a server that is killed on purpose
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the database of this folder in another process, which keeps running. */
async function startElsewhere(): Promise<{ process: ChildProcess; url: string }> {
  const program = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, "server.ts"))};
    const { url } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(url);
    setInterval(() => {}, 60_000);
  `;
  const process_ = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push({
    async stop() {
      if (process_.exitCode !== null || process_.signalCode !== null) return;
      process_.kill("SIGKILL");
      await once(process_, "exit");
    },
  });
  const [url] = await once(createInterface({ input: process_.stdout }), "line");
  return { process: process_, url };
}

function postgresPid(): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}

function watcherOf(pid: number): number {
  const watcher = readdirSync("/proc").find((entry) => {
    const commandLine = join("/proc", entry, "cmdline");
    return (
      /^\d+$/.test(entry) &&
      existsSync(commandLine) &&
      readFileSync(commandLine, "utf8").includes(`kill -INT ${pid}\0`)
    );
  });
  return Number(watcher);
}

test("keeps stored data after a restart", async () => {
  const first = await start();
  await query(first.url, "create table stored as select '文字 😀' as word");
  await first.stop();

  const second = await start();

  expect(await query(second.url, "select word from stored")).toEqual([{ word: "文字 😀" }]);
});

test("leaves no process and no lock file when it is stopped", async () => {
  const { stop } = await start();
  const pid = postgresPid();

  await stop();

  expect(() => process.kill(pid, 0)).toThrow("ESRCH"); // our own child: buried when it ends
  expect(existsSync(join(dataDir, "postgres/data/postmaster.pid"))).toBe(false);
});

test("starts with all committed data when the previous server was killed", { tags: "long" }, async () => {
  const killed = await startElsewhere();
  await query(killed.url, "create table stored as select 1 as number");

  killed.process.kill("SIGKILL");
  await once(killed.process, "exit");
  const next = await start();

  expect(await query(next.url, "select number from stored")).toEqual([{ number: 1 }]);
});

test.runIf(process.platform === "linux")(
  "stops an orphaned database first when its owner and its watcher are gone",
  { tags: "long" },
  async () => {
    const killed = await startElsewhere();
    await query(killed.url, "create table stored as select 1 as number");
    const orphan = postgresPid();

    process.kill(watcherOf(orphan), "SIGKILL");
    killed.process.kill("SIGKILL");
    await once(killed.process, "exit");
    expect(await query(killed.url, "select number from stored")).toEqual([{ number: 1 }]);
    const next = await start();

    expect(postgresPid()).not.toBe(orphan);
    expect(await query(next.url, "select number from stored")).toEqual([{ number: 1 }]);
  },
);

test("starts when another program has the process id of a dead database", { tags: "long" }, async () => {
  const first = await start();
  await first.stop();
  writeFileSync(
    join(dataDir, "postgres/data/postmaster.pid"),
    `${process.pid}\n${dataDir}\n1\n5432\n\n\n\nready\n`,
  );

  const next = await start();

  expect(await query(next.url, "select 1 as number")).toEqual([{ number: 1 }]);
});

test("restarts a killed database at the same address", { tags: "long" }, async () => {
  const { url } = await start();
  await query(url, "create table stored as select 1 as number");
  const killedPid = postgresPid();

  process.kill(killedPid, "SIGKILL");

  await expect
    .poll(() => query(url, "select number from stored").catch(() => []), { timeout: 20_000 })
    .toEqual([{ number: 1 }]);
  expect(postgresPid()).not.toBe(killedPid);
});

test("rejects a second server of the same folder and keeps the first one running", async () => {
  const first = await startElsewhere();

  await expect(start()).rejects.toThrow("another Alcove is running");

  expect(await query(first.url, "select 1 as number")).toEqual([{ number: 1 }]);
});

test(
  "starts one of two servers and rejects the other when they start at the same time",
  { tags: "long" },
  async () => {
    const outcomes = await Promise.allSettled([start(), start()]);

    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const rejected = outcomes.find((outcome) => outcome.status === "rejected");
    expect(String(rejected?.reason)).toContain("another Alcove is running");
  },
);

test("creates the database again when its creation was interrupted", { tags: "long" }, async () => {
  const unfinished = join(dataDir, "postgres/new-99999999");
  mkdirSync(join(unfinished, "base"), { recursive: true });

  const { url } = await start();

  expect(existsSync(unfinished)).toBe(false);
  expect(await query(url, "select 1 as number")).toEqual([{ number: 1 }]);
});

test("requires a password that only its owner can read", async () => {
  const { url } = await start();
  const { port } = new URL(url);

  await expect(query(`postgres://alcove:wrong@127.0.0.1:${port}/alcove`, "select 1")).rejects.toThrow(
    "password",
  );
  await expect(query(`postgres://postgres:wrong@127.0.0.1:${port}/alcove`, "select 1")).rejects.toThrow(
    "pg_hba",
  );

  expect(statSync(join(dataDir, "postgres/password")).mode & 0o777).toBe(0o600);
});

test("uses UTF-8 and UTC and an account without superuser rights", async () => {
  const { url } = await start();

  const [row] = await query(
    url,
    `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
            current_setting('jit') as jit, usesuper from pg_user where usename = current_user`,
  );

  expect(row).toEqual({ encoding: "UTF8", zone: "UTC", jit: "off", usesuper: false });
});

test("logs no values when a statement fails", async () => {
  const lines: string[] = [];
  const server = await startPostgres({ dataDir, log: (line) => lines.push(line) });
  running.push(server);

  await query(server.url, "create table secrets (word text primary key)");
  await query(server.url, "insert into secrets values ('whisper')");
  await expect(query(server.url, "insert into secrets values ('whisper')")).rejects.toThrow("duplicate key");
  await expect(query(server.url, "select 'whisper'::int")).rejects.toThrow("whisper");
  await server.stop();

  expect(lines.join("\n")).toContain("ready to accept connections");
  expect(lines.join("\n")).not.toContain("whisper");
});
