import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { startNats } from "@alcove/test-services/nats";
import { startServer } from "@alcove/test-services/server";
import { hold } from "../../testing/hold.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import { recordStatements } from "../../testing/statements.ts";
import { eventually, testService, type TestService } from "../../testing/test-service.ts";
import { withoutDatabase } from "../../testing/without-database.ts";

const service = await testService();
type ApiError = { code: string; error_message: string; validation_errors?: unknown };

async function toApiError(response: Response): Promise<ApiError> {
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  return (await response.json()) as ApiError;
}

const json = { "content-type": "application/json" };
const like = "/users/api/like";

test("accepts a call under each language, without one, and in English under an unknown one", async () => {
  const sentence = async (path: string) =>
    (await toApiError(await service.fetch(path, { method: "POST" }))).error_message;

  expect(await sentence(`/en${like}`)).toBe("Please login first");
  expect(await sentence(like)).toBe("Please login first");
  expect(await sentence(`/fr${like}`)).toBe("Please login first");
  expect(await sentence(`/ja${like}`)).toBe("先にログインしてください。");
  expect(await sentence(`/zh-hans${like}`)).toBe("请先登录");
  expect(await sentence(`/zh-hant${like}`)).toBe("請先登入");
});

test("returns JSON in the caller's language when a URL does not exist", async () => {
  for (const path of ["/en/users/api/nothing", "/media/nothing", "/en/api/token", "/assets/gone.js"]) {
    const response = await service.fetch(path);
    expect(response.status).toBe(404);
    expect((await toApiError(response)).code).toMatch(/not_found$/);
  }
  const sentence = async (path: string) => (await toApiError(await service.fetch(path))).error_message;
  expect(await sentence("/ja/users/api/nothing")).toBe("見つかりませんでした。");
  expect(await sentence("/zh-hant/%zz")).toBe("無法讀取此請求。");
  expect(await sentence("/fr/users/api/nothing")).toBe("Not found.");
});

test("allows only the native wrapper's origins to read responses", async () => {
  const allowed = async (origin: string) =>
    (
      await service.fetch(`/en${like}`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" },
      })
    ).headers.get("access-control-allow-origin");

  expect(await allowed("https://localhost")).toBe("https://localhost");
  expect(await allowed("capacitor://localhost")).toBe("capacitor://localhost");
  expect(await allowed("https://evil.example")).toBeNull();
  expect(await allowed("null")).toBeNull();
});

test("exposes Retry-After to the native wrapper", async () => {
  const origin = "capacitor://localhost";

  const { headers } = await service.fetch("/en/users/api/user", { headers: { origin } });

  expect(headers.get("access-control-expose-headers")).toContain("retry-after");
});

test("sends security headers with every response", async () => {
  for (const path of ["/healthz", "/en/users/api/user", "/nowhere", "/media/i/none"]) {
    const { headers } = await service.fetch(path);

    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("server")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
  }
});

test.each([
  ["a body that is not JSON", { headers: json, body: "{" }, 400],
  ["a list instead of fields", { headers: json, body: "[]" }, 400],
  ["a bare number", { headers: json, body: "7" }, 400],
  ["a poisoned object", { headers: json, body: '{"__proto__":{"a":1}}' }, 400],
  ["an unknown kind of body", { headers: { "content-type": "application/xml" }, body: "<a/>" }, 400],
  ["a body of a megabyte", { headers: json, body: JSON.stringify({ likedId: "x".repeat(1_000_000) }) }, 413],
  [
    "a broken multipart form",
    { headers: { "content-type": "multipart/form-data; boundary=x" }, body: "--x\r\nbroken" },
    400,
  ],
  [
    "a multipart form without a boundary",
    { headers: { "content-type": "multipart/form-data" }, body: "--x" },
    400,
  ],
  [
    "a multipart form without an end",
    {
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: '--x\r\ncontent-disposition: form-data; name="likedId"\r\n\r\nhalf',
    },
    400,
  ],
  ["fields of the wrong kind", { headers: json, body: '{"likedId":{"a":[1]}}' }, 400],
  ["no fields", { headers: json, body: "{}" }, 400],
])("rejects %s with a message", async (_, init, status) => {
  const { access } = await member(service);

  const response = await service.fetch(`/en${like}`, {
    method: "POST",
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${access}` },
  });

  expect(response.status).toBe(status);
  expect((await toApiError(response)).error_message).not.toBe("");
});

let count = 0;
const member = (from: TestService) => from.member(`member${count++}`, { at: null });

test("rejects compressed bodies at once, and accepts those that name the encoding of all others", async () => {
  const login = JSON.stringify({ user_id: "hanako", password: "quiet-evenings-77" });
  const form = new FormData();
  form.set("icon", new Blob([randomBytes(256 * 1024)]), "icon.png");
  const bodies = [new Response(login, { headers: json }), new Response(form)];

  for (const body of bodies) {
    const response = await service.fetch("/en/users/api/sign-up-icon-preview", {
      method: "POST",
      headers: { "content-type": body.headers.get("content-type")!, "content-encoding": "gzip" },
      body: gzipSync(await body.bytes()),
    });
    expect([response.status, (await toApiError(response)).code]).toEqual([400, "malformed_request"]);
  }

  const headers = { ...json, "content-encoding": "Identity" };
  const plain = await service.fetch("/en/api/token/", { method: "POST", headers, body: login });
  expect((await toApiError(plain)).code).toBe("wrong_credentials");
});

test("rejects a URL that cannot be decoded", async () => {
  const response = await new Promise<string>((done, fail) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname, () =>
      socket.end("GET /en/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
    );
    let text = "";
    socket.on("data", (data) => (text += String(data)));
    socket.on("close", () => done(text));
    socket.on("error", fail);
  });

  expect(response).toMatch(/^HTTP\/1\.1 40[04]/);
  expect(response).not.toMatch(/node_modules|at .*\.(ts|js)/);
});

const UPGRADE = "GET /ws/events HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ";
const KEY = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

test.each([
  ["an unknown method", "BREW / HTTP/1.1\r\nhost: x\r\n\r\n", 400],
  ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400],
  ["a request without a host", "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
  ["an unknown expectation", "GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n", 400],
  ["an upgrade to an unknown protocol", `${UPGRADE}tea\r\n${KEY}sec-websocket-version: 13\r\n\r\n`, 400],
  ["a socket without a key", `${UPGRADE}websocket\r\nsec-websocket-version: 13\r\n\r\n`, 400],
  ["a socket of an unknown version", `${UPGRADE}websocket\r\n${KEY}sec-websocket-version: 99\r\n\r\n`, 400],
  [
    "a socket without a host",
    `${UPGRADE.replace("host: x\r\n", "")}websocket\r\n${KEY}sec-websocket-version: 13\r\n\r\n`,
    400,
  ],
  ["a header without end", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, 431],
])("rejects %s with the standard error body", async (_, request, status) => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  socket.on("error", () => undefined); // it may be closed before all is written

  const response = (await socket.toArray()).join("");

  const [head = "", body = ""] = response.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/content-type: application\/json/i);
  expect(JSON.parse(body)).toEqual({
    code: "malformed_request",
    error_message: "The request could not be read.",
  });
});

test("serves health, readiness, metrics and the OpenAPI document", async () => {
  expect(await (await service.fetch("/healthz")).json()).toEqual({ ok: true });
  expect(await (await service.fetch("/readyz")).json()).toEqual({ ok: true, database: true, bus: true });
  expect(await (await service.fetch("/metrics")).text()).toContain(
    "alcove_http_request_duration_seconds_count",
  );
  const document = (await (await service.fetch("/openapi.json")).json()) as { paths: Record<string, object> };
  expect(Object.keys(document.paths["/{lang}/users/api/user"]!)).toEqual(["post", "get", "delete", "patch"]);
});

test("is healthy but not ready, and names the part, when the bus or the database does not respond", async () => {
  const nats = await startNats();
  onTestFinished(nats.close);
  const own = await ownService({ config: { natsUrl: nats.url } });
  const ask = async (path: string) => {
    const response = await own.fetch(path);
    return [response.status, await response.json()];
  };

  await nats.kill();
  await eventually(async () =>
    expect(await ask("/readyz")).toEqual([503, { ok: false, database: true, bus: false }]),
  );
  expect(await ask("/healthz")).toEqual([200, { ok: true }]);
  await nats.restart();
  await eventually(async () => expect((await ask("/readyz"))[0]).toBe(200));

  await withoutDatabase(own.databaseUrl, async () => {
    await eventually(async () =>
      expect(await ask("/readyz")).toEqual([503, { ok: false, database: false, bus: true }]),
    );
    expect(await ask("/healthz")).toEqual([200, { ok: true }]);
  });
  await eventually(async () =>
    expect(await ask("/readyz")).toEqual([200, { ok: true, database: true, bus: true }]),
  );
});

test("asks the database once for all checks of readiness in a second", async () => {
  const statements = await recordStatements(() =>
    Promise.all(Array.from({ length: 20 }, () => service.fetch("/readyz"))),
  );

  expect(statements.filter((text) => text === "select 1").length).toBeLessThanOrEqual(1);
});

test("is not ready when the database gives no connection in time", async () => {
  const own = await ownService();
  const connections = Array.from({ length: 12 }, () =>
    sql`select pg_sleep(60)`.execute(own.ctx.db).catch(() => undefined),
  );

  // A connection of the pool would take 20 seconds.
  expect((await own.fetch("/readyz", { signal: AbortSignal.timeout(10_000) })).status).toBe(503);

  await withoutDatabase(own.databaseUrl, () => Promise.all(connections));
  await eventually(async () => expect((await own.fetch("/readyz")).status).toBe(200));
});

test("responds with Retry-After in the member's language and logs no error when the database is unreachable", async () => {
  const own = await ownService();
  const hanako = await own.member("hanako");
  const server = await startServer({ DATABASE_URL: own.databaseUrl, DATA_DIR: own.dataDir });
  onTestFinished(async () => void (await server.stop()));
  const ask = () =>
    fetch(`${server.url}/ja/users/api/user`, { headers: { authorization: `Bearer ${hanako.access}` } });

  const failed = await withoutDatabase(own.databaseUrl, ask);

  expect(failed.status).toBe(503);
  expect(failed.headers.get("retry-after")).toBe("5");
  expect(await toApiError(failed)).toEqual({
    code: "service_unavailable",
    error_message: "現在ご利用いただけません。しばらくしてからもう一度お試しください。",
  });
  await eventually(async () => expect((await ask()).status).toBe(200));
  const lines = server.output().split("\n");
  const logged = lines.filter((line) => line.includes(failed.headers.get("x-request-id")!));
  expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, msg: "the database cannot be reached" }),
    expect.objectContaining({ level: 30, msg: "request completed", status: 503 }),
  ]);
  expect(lines.filter((line) => line.includes("a request failed"))).toEqual([]);
});

test("responds with Retry-After when a locked table keeps a statement waiting for too long", async () => {
  const own = await ownService();
  const hanako = await own.member("hanako");
  const lock = await hold(own.db, "lock table members in access exclusive mode");

  const waiting = hanako.fetch("/en/users/api/user");
  const cancelled = await eventually(async () => {
    const { rows } = await sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(own.db);
    expect(rows).not.toEqual([]);
    return waiting;
  });
  await lock.release();

  expect([cancelled.status, cancelled.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await toApiError(cancelled)).code).toBe("service_unavailable");
});

test("documents files, Retry-After and the errors of every call", async () => {
  type DocumentedResponse = { content?: Record<string, unknown>; headers?: Record<string, unknown> };
  type Operation = { operationId: string; responses: Record<string, DocumentedResponse> };
  const document = (await (await service.fetch("/openapi.json")).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };

  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  const exported = operations.find(({ operationId }) => operationId === "exportData")!;
  expect(Object.keys(exported.responses["200"]!.content!)).toEqual(["application/zip"]);
  for (const { operationId, responses } of operations) {
    expect(Object.keys(responses["default"]!.content!), operationId).toEqual(["application/json"]);
    const limited = responses["429"];
    if (limited) expect(Object.keys(limited.headers!), operationId).toEqual(["Retry-After"]);
  }
  const rateLimits = operations.filter(({ responses }) => responses["429"]).map((found) => found.operationId);
  expect(rateLimits).toEqual(expect.arrayContaining(["logIn", "logInSocially", "getOwnUser", "exportData"]));
});

/** `fetch` cannot set the `Host`. */
async function statusAt({ url }: TestService, path: string, host: string): Promise<number> {
  const sent = get(new URL(path, url), { headers: { host } });
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

test.each(["/metrics", "/openapi.json"])(
  "serves %s only with the token, or to loopback while PUBLIC_URL is unset",
  async (path) => {
    const guarded = await serviceForTest({ config: { metricsToken: "secret" } });
    const reachable = await serviceForTest({ config: { publicUrl: "https://quiet.example" } });
    const status = async (at: TestService, headers: Record<string, string> = {}) =>
      (await at.fetch(path, { headers })).status;

    expect(await status(guarded)).toBe(404);
    expect(await status(guarded, { authorization: "Bearer wrong" })).toBe(404);
    expect(await status(guarded, { authorization: "Bearer secret" })).toBe(200);
    expect(await status(reachable)).toBe(404);
    expect(await status(service)).toBe(200);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
      expect(await status(service, { [name]: "203.0.113.7" }), name).toBe(404);
    expect(await statusAt(service, path, "quiet.example")).toBe(404);
    expect(await statusAt(service, path, "localhost:3000")).toBe(200);
  },
);

/** Requests a socket and then sends nothing else. */
async function requestSocket(url: string, line: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, "connect");
  socket.write(
    [
      `${line} HTTP/1.1`,
      `host: ${host}`,
      "connection: upgrade",
      "upgrade: websocket",
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version: 13",
      "\r\n",
    ].join("\r\n"),
  );
  return socket;
}

test.each(["GET /ws/dm/%zz", "OPTIONS /ws/events", "PUT /ws/events", "GET /en/users/api/user"])(
  "responds and closes the connection when a socket is requested by %s",
  async (line) => {
    const socket = await requestSocket(service.url, line);

    const [response] = (await once(socket, "data")) as [Buffer];
    await once(socket, "end");

    expect(String(response)).toMatch(/^HTTP\/1\.1 (204|40[014]) /);
    socket.destroy();
  },
);

test("stops without waiting for a client that never closes its socket", async () => {
  const stopping = await serviceForTest();
  const socket = await requestSocket(stopping.url, "GET /ws/events");
  await once(socket, "data");

  const began = Date.now();
  await stopping.close();

  expect(Date.now() - began).toBeLessThan(20_000);
  socket.destroy();
});
