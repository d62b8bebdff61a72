import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { behindProxy, startServer, type ServerProcess } from "@alcove/test-services/server";
import {
  eventually,
  openSocket,
  testService,
  type TestMember,
  type TestService,
} from "../../src/testing/test-service.ts";

const ADDRESS = "203.0.113.77";
const TAG = /^[0-9a-f]{12}$/;

let service: TestService;
let server: ServerProcess;
let hanako: TestMember;
beforeAll(async () => {
  service = await testService();
  hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("taro", { at: null });
  const { databaseUrl, dataDir } = service;
  const proxied = await behindProxy(join(dataDir, "secrets"));
  server = await startServer({ ...proxied, DATABASE_URL: databaseUrl, DATA_DIR: join(dataDir, "proxied") });
});
afterAll(async () => void (await server.stop()));

/** Sends a request and returns its line of the log. */
async function logOf(
  method: string,
  path: string,
  { form, access, from = ADDRESS }: { form?: Record<string, string>; access?: string; from?: string } = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}/en${path}`, {
    method,
    headers: { "x-forwarded-for": from, ...(access && { authorization: `Bearer ${access}` }) },
    body: form ? new URLSearchParams(form) : null,
  });
  await response.text();
  return findLine((line) => line["reqId"] === response.headers.get("x-request-id"));
}

async function findLine(isWanted: (line: Record<string, unknown>) => boolean) {
  return eventually(() => {
    const lines = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const found = lines.find(isWanted);
    expect(found).toBeDefined();
    return found!;
  });
}

const logIn = (user_id: string, password: string) =>
  logOf("POST", "/api/token/", { form: { user_id, password } });

test("logs code, account and network of a wrong login, and no account for an unknown user id", async () => {
  const code = "wrong_credentials";

  const wrong = await logIn("hanako", "not the right one");
  const unknown = await logIn("somebody", "not the right one");

  expect(wrong).toMatchObject({
    status: 401,
    code,
    member: hanako.memberId,
    network: expect.stringMatching(TAG),
  });
  expect(unknown).toMatchObject({ status: 401, code, network: wrong["network"] });
  expect(unknown).not.toHaveProperty("member");
});

test("logs the member of a new session, of a retired refresh token and of a changed password", async () => {
  const { memberId: member, access, refresh } = hanako;
  const change = { password: "quiet-evenings-7", newPassword: "louder-mornings-8" };
  const refreshed = { form: { refresh } };

  await logIn("hanako", "quiet-evenings-7");
  const form = { ...change, newPasswordConfirmation: change.newPassword };
  await logOf("PATCH", "/users/api/user", { access, form });
  await logOf("POST", "/api/token/refresh/", refreshed);
  const reused = await logOf("POST", "/api/token/refresh/", refreshed);

  expect(reused).toMatchObject({ status: 401, code: "login_required", member });
  for (const msg of ["session opened", "password changed", "retired refresh token used, session ended"])
    expect(await findLine((line) => line["msg"] === msg)).toMatchObject({ member });
});

test("logs who requested what without permission, and which attempts failed with status 200", async () => {
  const taro = await service.member("taro2", { at: null });
  const { access, memberId: member } = taro;
  const network = expect.stringMatching(TAG) as unknown;

  const unmatched = await logOf("GET", "/dm/api/dm?friendId=hanako", { access });
  const invented = await logOf("GET", "/users/api/user", { access: "not.a.token" });
  const picture = await logOf("GET", "/../media/i/none");
  const guess = await logOf("POST", "/api/confirm-password", { access, form: { password: "guessed" } });
  const limited = await logOf("POST", "/users/api/user", { form: { email: "no address" } });

  expect(unmatched).toMatchObject({ status: 404, code: "conversation_not_found", member, network });
  expect(invented).toMatchObject({ status: 401, code: "login_required", network });
  expect(picture).toMatchObject({ status: 404, code: "media_not_found", network });
  expect(guess).toMatchObject({ status: 200, code: "confirmPassword rejected", member, network });
  expect(limited).toMatchObject({ status: 200, code: "requestSignUpCode rejected", network });
});

test("logs a rejected socket and a member who exceeds a rate limit", async () => {
  const { access, memberId: member } = await service.member("taro3", { at: null });

  await openSocket(`${server.url.replace("http", "ws")}/ws/dm/hanako?token=${access}`);
  let last: Record<string, unknown> = {};
  for (let i = 0; i < 21; i++)
    last = await logOf("GET", "/users/api/coupon/check?coupon_id=NONE", { access });

  expect(await findLine(({ msg }) => msg === "socket rejected")).toMatchObject({ close: 4403, member });
  expect(last).toMatchObject({ status: 429, code: "too_many_requests", member });
});

test("logs neither member nor network of a successful request, and never a network address", async () => {
  const { access } = await service.member("taro4", { at: null });

  const line = await logOf("GET", "/users/api/user", { access });

  expect(Object.keys(line).toSorted()).toEqual(
    ["level", "method", "ms", "msg", "reqId", "route", "status", "time"].toSorted(),
  );
  expect(server.output()).not.toContain(ADDRESS);
});

test("counts a forwarded address alike with a port, and warns when the proxy forwards none", async () => {
  const warning = /^the proxy forwards no network address/;
  const networkOf = async (from: string) => (await logOf("GET", "/users/api/user", { from }))["network"];

  expect(await networkOf(`${ADDRESS}:51234`)).toBe(await networkOf(ADDRESS));
  expect(server.output()).not.toContain("the proxy forwards no network address");
  await networkOf("unix:");
  await findLine(({ msg }) => warning.test(String(msg)));
  expect(await networkOf("unix:")).toBe(await networkOf("_hidden"));
});
