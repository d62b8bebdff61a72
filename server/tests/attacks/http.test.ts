import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { calls } from "@alcove/contract";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { makeAccessToken } from "../../src/accounts/login/tokens.ts";
import { callsByName, INTERNALS } from "./requests.ts";
import { startAttackEnv, type AttackEnv } from "./attack-env.ts";
import { VALID_INPUTS } from "./valid-inputs.ts";

let env: AttackEnv;
beforeAll(async () => {
  env = await startAttackEnv();
  return env.close;
});

describe("every call of the contract", () => {
  test.each(callsByName)("%s responds, with an error message in every language", async (name, call) => {
    expect(VALID_INPUTS).toHaveProperty(name);
    const response = await env.service.fetch(`/en${call.path}`, { method: call.method });

    expect([404, 405]).not.toContain(name === "botChallenge" ? 0 : response.status);
    if (call.access === "member") expect(response.status).toBe(401);
    for (const language of languages) {
      for (const code of call.errors) expect(allTranslations[language].errors[code]).toMatch(/\S/);
    }
  });

  test.each(callsByName.filter(([, call]) => call.access === "member"))(
    "%s requires an active session",
    async (_, call) => {
      const forged = makeAccessToken(
        { ...env.service.ctx.secrets, token: "somebody else's key" },
        {
          memberId: env.hanako.memberId,
          session: randomUUID(),
        },
        env.service.clock.now(),
      );
      const headers = ["", "Bearer", "Bearer null", "Basic aGFuYWtvOng=", `Bearer ${forged}`];
      headers.push(
        `Bearer ${env.hanako.access}x`,
        `Bearer ${env.hanako.refresh}`,
        `Bearer ${"a".repeat(8_000)}`,
        "Bearer ' or 1=1",
      );

      for (const authorization of headers) {
        const outcome = await env.send(call, `/en${call.path}`, { headers: { authorization } }, null);
        expect(outcome.status, outcome.summary).toBe(401);
      }
    },
  );
});

test("responds to a malformed URL with an error, never with a page or a bug", async () => {
  const raw = (head: string) =>
    new Promise<string>((done, fail) => {
      const { hostname, port } = new URL(env.service.url);
      const socket = connect(Number(port), hostname, () =>
        socket.end(`${head}\r\nhost: x\r\nconnection: close\r\n\r\n`),
      );
      let text = "";
      socket.on("data", (data) => (text += String(data)));
      socket.on("close", () => done(text));
      socket.on("error", fail);
    });
  const paths = [
    "/en/../../etc/passwd",
    "/en/%2e%2e/%2e%2e/etc/passwd",
    "/en/..%2f..%2fetc%2fpasswd",
    "/media/i/..%2f..%2fsecrets.json",
    "/media/m/%00",
    "/media/../secrets.json",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/%00/users/api/user",
    "/en%00/users/api/user",
    `/${"x".repeat(2_000)}/users/api/user`,
    "/en/users/api/user%ff",
    "/en/users/api/get-user?userId=%E0%A4%A",
    "//evil.example/users/api/user",
    "/\\evil.example",
    "/en;a=b/users/api/user",
    "/EN/users/api/user/../like",
    `/en/users/api/get-options?${"ids=a&".repeat(2_000)}`,
  ];

  for (const path of paths) {
    const text = await raw(`GET ${path} HTTP/1.1`);
    expect(text, path).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(text, path).toContain('"error_message"');
    expect(INTERNALS.test(text), text).toBe(false);
  }
  for (const head of [
    `GET /${"x".repeat(20_000)} HTTP/1.1`,
    "GET / HTTP/9.9",
    "NONSENSE",
    `GET / HTTP/1.1\r\na: ${"x".repeat(20_000)}`,
  ]) {
    const text = await raw(head);
    expect(text, head.slice(0, 50)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(INTERNALS.test(text), text).toBe(false);
  }
});

test("ignores a call with another method", async () => {
  const before = await env.countRows();

  for (const path of new Set(calls.map(({ path }) => path))) {
    const own = new Set(calls.filter((call) => call.path === path).map(({ method }): string => method));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"]) {
      if (own.has(method) || (method === "HEAD" && own.has("GET"))) continue;
      const headers = {
        authorization: `Bearer ${env.hanako.access}`,
        "x-http-method-override": [...own][0]!,
      };
      const { status } = await env.service.fetch(`/en${path}`, { method, headers });
      expect(method === "OPTIONS" ? [204] : [404, 405], `${method} ${path}`).toContain(status);
    }
  }
  expect(await env.countRows()).toEqual(before);
});

test("responds in English to unknown languages", async () => {
  for (const language of [
    "EN",
    "fr",
    "zh",
    "zh-Hant",
    "%F0%9F%98%80",
    "..",
    "constructor",
    "__proto__",
    "a".repeat(500),
  ]) {
    const response = await env.service.fetch(`/${language}/users/api/blocks`);
    const { error_message } = (await response.json()) as { error_message: string };
    expect(["Please login first", "Not found."], language).toContain(error_message);
  }
});

test("leaves the members unchanged and able to chat after all attacks", () => env.expectMembersUnharmed());
