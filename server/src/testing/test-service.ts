import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, vi } from "vitest";
import { WebSocket } from "ws";
import * as z from "zod/mini";
import type { ResponseOf, Call, InputOf } from "@alcove/contract";
import { saveLocation } from "@alcove/contract/discovery";
import { buildRequest } from "@alcove/contract/request";
import { createMember, openSession } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { openLog } from "../platform/log.ts";
import { startServer, type RunningServer } from "../server.ts";
import { readConfig, type Config } from "../config.ts";
import { CLUSTER, createClusterDatabase, dropClusterDatabase } from "./cluster-database.ts";
import { TEMPLATE } from "./global-setup.ts";
import { sampleProfile, type ProfileOverrides } from "./profile.ts";
import { databaseUrl } from "./template.ts";

export class CallError extends Error {
  override name = "CallError";
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.code = String(body["code"]);
    this.body = body;
  }
}

export class TestClock implements Clock {
  #now = new Date();
  now(): Date {
    return new Date(this.#now);
  }
  set(at: Date | string): void {
    this.#now = new Date(at);
  }
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

interface TestServiceOptions {
  config?: Partial<Config>;
  /** Another test service's database, for a second process of the deployment. */
  beside?: TestService;
  /** An existing database instead of a clone of the template. */
  databaseUrl?: string;
  pagesDir?: string;
  /** Connections to the database. With one, a transaction that uses another connection fails. */
  poolSize?: number;
}

export interface TestService {
  readonly ctx: AppContext;
  readonly db: AppContext["db"];
  readonly clock: TestClock;
  readonly url: string;
  readonly consoleUrl: string | null;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Default: a position in Tokyo and alternating sexes. */
  member(name: string, options?: MemberOptions): Promise<TestMember>;
  /** The same member at this process. */
  memberAt(member: TestMember, url?: string): TestMember;
  call<C extends Call>(call: C, input: InputOf<C>, language?: string): Promise<ResponseOf<C>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface MemberOptions extends ProfileOverrides {
  paid?: boolean;
  /** `[longitude, latitude]`; null for no position. */
  at?: [number, number] | null;
  password?: string;
  email?: string;
  invitedBy?: number;
}

export interface TestMember {
  readonly user_id: string;
  readonly memberId: number;
  readonly access: string;
  readonly refresh: string;
  call<C extends Call>(call: C, input: InputOf<C>, language?: string): Promise<ResponseOf<C>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Collects the frames of the member's socket. */
  socket(path: string): Promise<TestSocket>;
}

const TOKYO: [number, number] = [139.7671, 35.6812];
/** What closes each running service, with its database. */
const open = new Map<() => Promise<void>, string>();
const sockets = new Set<WebSocket>();
const databases = new Set<string>();
let connection: Promise<pg.Client> | undefined;
let memberCount = 0;

export function closeSockets(ofUrl = "http"): void {
  for (const socket of sockets) {
    if (!socket.url.startsWith(ofUrl.replace("http", "ws"))) continue;
    socket.terminate();
    sockets.delete(socket);
  }
}

/** Closes the other processes of a service's deployment. */
export async function closeOthers(of: TestService): Promise<void> {
  for (const [close, database] of open) if (database === of.databaseUrl && close !== of.close) await close();
}

export async function closeServices(): Promise<void> {
  closeSockets();
  for (const close of [...open.keys()].toReversed()) await close();
  open.clear();
  memberCount = 0;
  await dropUnusedDatabases();
}

/** Databases would fill the memory or disk of a run. The next file tries those again that a process still uses. */
async function dropUnusedDatabases(): Promise<void> {
  if (databases.size === 0) return;
  const client = await serverConnection();
  const used = await client.query<{ datname: string }>(
    "select datname from pg_stat_activity where backend_type = 'client backend' and application_name not like 'citus%'",
  );
  const inUse = new Set(used.rows.map(({ datname }) => datname));
  for (const name of [...databases].filter((each) => !inUse.has(each))) {
    if (CLUSTER.length > 0) await dropClusterDatabase(name);
    else await client.query(`drop database if exists ${name}`);
    databases.delete(name);
  }
  connection = undefined;
  await client.end();
}

/** Creates and drops the databases of a file. */
async function serverConnection(): Promise<pg.Client> {
  connection ??= new pg.Client({ connectionString: inject("postgresUrl") }).connect();
  return connection;
}

/** Runs the real server on a clone of the template until the file is done. */
export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const { beside } = options;
  const database = beside?.databaseUrl ?? options.databaseUrl ?? (await cloneTemplate());
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), "alcove-data-")));
  const clock = beside?.clock ?? new TestClock();
  const config: Config = {
    ...readConfig({
      PORT: "0",
      DATA_DIR: dataDir,
      BOT_CHECK: "off",
      RATE_LIMITS: "off",
      // Face detection takes seconds; its own tests switch it on.
      FACE_DETECTION: "off",
      DATABASE_URL: database,
    }),
    ...options.config,
  };
  const service = await startServer({
    config,
    databaseUrl: database,
    log: openLog("fatal"),
    clock,
    pagesDir: options.pagesDir ?? null,
    poolSize: options.poolSize ?? 12,
    jobsAtOnce: 2,
  });
  const close = async () => {
    if (!open.delete(close)) return;
    await service.stop();
    if (!beside) await rm(dataDir, { recursive: true, force: true });
  };
  open.set(close, database);

  const { ctx, url } = service;
  return {
    ctx,
    db: ctx.db,
    clock,
    url,
    consoleUrl: service.consoleUrl,
    databaseUrl: database,
    dataDir,
    member: (name, options) => createTestMember(service, name, options),
    memberAt: (member, at = url) => memberAt(at, member),
    call: (call, input, language) => callAt(url, null, call, input, language),
    fetch: (path, init) => fetch(new URL(path, url), init),
    close,
  };
}

async function cloneTemplate(): Promise<string> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  databases.add(name);
  if (CLUSTER.length > 0) return createClusterDatabase(name);
  const client = await serverConnection();
  await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  return databaseUrl(inject("postgresUrl"), name);
}

async function createTestMember(
  { ctx, url }: RunningServer,
  name: string,
  options: MemberOptions = {},
): Promise<TestMember> {
  const sex = options.sex ?? (memberCount++ % 2 === 0 ? "female" : "male");
  const { memberId, userId } = await createMember(ctx, {
    userId: name,
    password: options.password ?? null,
    email: options.email ?? `${name}@example.com`,
    language: "en",
    invitedBy: options.invitedBy ?? null,
    profile: sampleProfile({ username: name, ...options, sex }),
    iconProcess: true,
  });
  if (options.paid) {
    await grantMembership(ctx, memberId, { year: 1, month: 0, source: "operator", grantId: randomUUID() });
  }
  const { access, refresh } = await openSession(ctx, memberId);
  const member = memberAt(url, { user_id: userId, memberId, access, refresh });
  const at = options.at === undefined ? TOKYO : options.at;
  if (at) await member.call(saveLocation, { location: at.join(",") });
  return member;
}

function withToken(given: RequestInit["headers"], access: string): Headers {
  const headers = new Headers(given);
  headers.set("authorization", `Bearer ${access}`);
  return headers;
}

function memberAt(
  url: string,
  { user_id, memberId, access, refresh }: Pick<TestMember, "user_id" | "memberId" | "access" | "refresh">,
): TestMember {
  return {
    user_id,
    memberId,
    access,
    refresh,
    call: (call, input, language) => callAt(url, access, call, input, language),
    fetch: (path, init = {}) =>
      fetch(new URL(path, url), { ...init, headers: withToken(init.headers, access) }),
    socket: (path) => openSocket(`${url.replace("http", "ws")}${path}?token=${access}`),
  };
}

async function callAt<C extends Call>(
  url: string,
  access: string | null,
  call: C,
  input: InputOf<C>,
  language = "en",
): Promise<ResponseOf<C>> {
  const { path, method, headers, body } = buildRequest(call, input, language);
  const authorization: Record<string, string> = access ? { authorization: `Bearer ${access}` } : {};
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, ...authorization },
    body,
  });
  if (!response.ok) throw new CallError(response.status, (await response.json()) as Record<string, unknown>);
  if (call.response === null) return undefined as ResponseOf<C>;
  return z.core.parse(call.response, await response.json()) as ResponseOf<C>;
}

export class TestSocket {
  readonly frames: unknown[] = [];
  readonly ws: WebSocket;
  /** Null while open. */
  closed: number | null = null;

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data) => this.frames.push(JSON.parse((data as Buffer).toString())));
    ws.on("close", (code) => (this.closed = code));
  }

  send(frame: unknown): void {
    this.ws.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }
}

/** The upgrade is always accepted; a rejection is in `closed`. */
export async function openSocket(url: string, options: { origin?: string } = {}): Promise<TestSocket> {
  const ws = new WebSocket(url, options);
  const socket = new TestSocket(ws);
  await new Promise((done, fail) => ws.on("open", done).on("error", fail));
  sockets.add(ws);
  return socket;
}

export async function eventually<T>(expectation: () => T | Promise<T>, timeoutMs = 15_000): Promise<T> {
  return vi.waitFor(expectation, { timeout: timeoutMs, interval: 10 });
}

export async function expectError(call: Promise<unknown>, code: string): Promise<CallError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(CallError);
  expect((outcome as CallError).code).toBe(code);
  return outcome as CallError;
}
