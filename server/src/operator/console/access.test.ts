import { request } from "node:http";
import { expect, test } from "vitest";
import {
  consoleCalls,
  endLogin,
  finishEnrolment,
  finishLogin,
  getOperator,
  startEnrolment,
  startLogin,
} from "@alcove/contract/console";
import { calls } from "@alcove/contract";
import { buildRequest } from "@alcove/contract/request";
import { HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import { ConsoleBrowser, operatorOf } from "../../testing/console.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { createPasskey, type Passkey } from "../../testing/passkey.ts";
import { expectError, testService, type TestService } from "../../testing/test-service.ts";
import { addOperator, removeOperator, resetOperator } from "../index.ts";

const withConsole = { config: { consolePort: 0 } };
const service = await testService(withConsole);
const browserOf = ({ consoleUrl }: TestService, headers?: Record<string, string>) =>
  new ConsoleBrowser(consoleUrl!, headers);

test("opens a session with a registered passkey, in a cookie that no script and no other site can use", async () => {
  const { browser } = await operatorOf(service, "Sato");

  expect(await browser.call(getOperator, {})).toEqual({ name: "Sato" });
  const passkey = createPasskey();
  await browser.enrol((await addOperator(service.ctx, "Suzuki"))!, passkey);
  const { options } = await browser.call(startLogin, {});
  const { path, method, headers, body } = buildRequest(finishLogin, {
    response: passkey.logIn(options, browser.origin),
  });
  const response = await fetch(new URL(path, browser.origin), {
    method,
    headers: { ...headers, ...browser.headers },
    body,
  });
  expect(response.headers.get("set-cookie")).toMatch(
    /^__Host-console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test.each(
  consoleCalls.filter(({ access }) => access === "operator").map((call) => [call.name, call] as const),
)("%s requires a session of an operator, and no member's opens it", async (_, call) => {
  const member = await service.member(`m${call.name}`.slice(0, 30), { at: null });
  const browser = browserOf(service, { authorization: `Bearer ${member.access}` });

  await expectError(browser.call(call, {}), "login_required");
  browser.cookie = `__Host-console=${member.access}`;
  await expectError(browser.call(call, {}), "login_required");
});

test("serves no call of the console on the members' port, and none of members on the console's", async () => {
  const { browser } = await operatorOf(service, "Tanaka");

  for (const call of consoleCalls) {
    const { path, method } = buildRequest(call, {});
    const response = await service.fetch(path, { method, headers: { cookie: browser.cookie } });
    expect([call.name, response.status]).toEqual([call.name, 404]);
  }
  for (const call of calls) {
    const { path, method } = buildRequest(call, {});
    const response = await fetch(new URL(path, browser.origin), { method, headers: browser.headers });
    expect([call.name, response.status]).toEqual([call.name, 404]);
  }
});

test.each<[string, Record<string, string>]>([
  ["another origin", { origin: "https://evil.example" }],
  ["another port of this host", { origin: "http://localhost:1" }],
  ["a page of another site", { "sec-fetch-site": "cross-site" }],
  ["a sibling host", { "sec-fetch-site": "same-site" }],
])("rejects calls of %s, with a session too", async (_, headers) => {
  const { browser } = await operatorOf(
    service,
    `Origin ${Object.values(headers)[0]!.replaceAll(/\W/g, " ")}`,
  );
  const foreign = browserOf(service, headers);
  foreign.cookie = browser.cookie;

  await expectError(foreign.call(endLogin, {}), "malformed_request");

  await browser.call(getOperator, {});
});

test.each([
  "/en/api/operator",
  "/en/%61pi/operator",
  "/en/ap%69/operator",
  "/en/%61%70%69/operator/",
  "/api/operator",
])("rejects a call of a sibling host's page under %s", async (path) => {
  const { browser } = await operatorOf(service, path.replaceAll(/\W/g, " "));

  const response = await fetch(new URL(path, browser.origin), {
    headers: { ...browser.headers, "sec-fetch-site": "same-site", cookie: browser.cookie },
  });

  expect(await response.json()).toMatchObject({ code: "malformed_request" });
});

test("rejects requests under another host name", async () => {
  const { browser } = await operatorOf(service, "Host");

  const status = await new Promise((done) => {
    const headers = { ...browser.headers, host: "evil.example", cookie: browser.cookie };
    request(new URL("/en/api/operator", browser.origin), { headers }, ({ statusCode }) =>
      done(statusCode),
    ).end();
  });

  expect(status).toBe(404);
});

test("ends a session after 15 minutes without a request, 8 hours after the login, and at logout", async () => {
  const own = await serviceForTest(withConsole);
  const { browser, passkey } = await operatorOf(own, "Sato");
  own.clock.advance(14 * MINUTE_MS);
  await browser.call(getOperator, {});
  own.clock.advance(14 * MINUTE_MS);
  await browser.call(getOperator, {});
  own.clock.advance(15 * MINUTE_MS);
  await expectError(browser.call(getOperator, {}), "login_required");

  await browser.logIn(passkey);
  for (let i = 0; i < 47; i++) {
    own.clock.advance(10 * MINUTE_MS);
    await browser.call(getOperator, {});
  }
  own.clock.advance(10 * MINUTE_MS);
  await expectError(browser.call(getOperator, {}), "login_required");

  await browser.logIn(passkey);
  const { cookie } = browser;
  await browser.call(endLogin, {});
  browser.cookie = cookie;
  await expectError(browser.call(getOperator, {}), "login_required");
});

test("registers one passkey with a link, within 30 minutes", async () => {
  const own = await serviceForTest(withConsole);
  const browser = browserOf(own);
  const used = (await addOperator(own.ctx, "Sato"))!;
  await browser.enrol(used, createPasskey());
  await expectError(browser.call(startEnrolment, { token: used }), "not_found");
  expect(await addOperator(own.ctx, "SATO")).toBeNull();

  const token = (await addOperator(own.ctx, "Suzuki"))!;
  const two = [createPasskey(), createPasskey()];
  const outcomes = await Promise.allSettled(two.map((passkey) => browserOf(own).enrol(token, passkey)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);

  const late = (await addOperator(own.ctx, "Tanaka"))!;
  own.clock.advance(HOUR_MS / 2);
  await expectError(browser.call(startEnrolment, { token: late }), "not_found");
});

test("rejects an unknown passkey, one without a check of its owner, another origin's and a repeated response", async () => {
  const { browser, passkey } = await operatorOf(service, "Right");
  const attempt = async (response: Record<string, unknown>) =>
    expectError(browser.call(finishLogin, { response }), "wrong_passkey");
  const challenge = async () => (await browser.call(startLogin, {})).options;

  await attempt(createPasskey().logIn(await challenge(), browser.origin));
  await attempt(passkey.logIn(await challenge(), "https://evil.example"));
  await attempt(passkey.logIn({ challenge: "invented" }, browser.origin));
  await attempt({});
  const right = passkey.logIn(await challenge(), browser.origin);
  await browser.call(finishLogin, { response: right });
  await attempt(right);

  const token = (await addOperator(service.ctx, "Unverified"))!;
  const { options } = await browser.call(startEnrolment, { token });
  const response = createPasskey({ isVerified: false }).register(options, browser.origin);
  await expectError(browser.call(finishEnrolment, { token, response }), "wrong_passkey");
});

test("ends passkeys and sessions when an operator is removed or reset", async () => {
  const { ctx } = service;
  const { browser, passkey } = await operatorOf(service, "Leaves");
  const other = await operatorOf(service, "Resets");

  expect(await removeOperator(ctx, "leaves")).toBe(true);
  const token = await resetOperator(ctx, "Resets");

  for (const one of [browser, other.browser]) await expectError(one.call(getOperator, {}), "login_required");
  await expectError(browser.logIn(passkey), "wrong_passkey");
  await expectError(other.browser.logIn(other.passkey), "wrong_passkey");
  const replaced = createPasskey();
  await other.browser.enrol(token!, replaced);
  await other.browser.logIn(replaced);
  expect(await removeOperator(ctx, "unknown")).toBe(false);
});

test("counts attempts of strangers apart from an operator's, so that they lock nobody out", async () => {
  const own = await serviceForTest({ config: { consolePort: 0, hasRateLimits: true } });
  const sato = await operatorOf(own, "Sato");
  const { browser } = sato;
  const attempt = async (passkey: Passkey, origin = "https://evil.example") => {
    const { options } = await browser.call(startLogin, {});
    return browser.call(finishLogin, { response: passkey.logIn(options, origin) });
  };

  for (let i = 0; i < 10; i++) await expectError(attempt(createPasskey()), "wrong_passkey");
  for (let i = 0; i < 10; i++)
    await expectError(browser.call(startEnrolment, { token: `invented ${i}` }), "not_found");
  await expectError(attempt(createPasskey()), "too_many_requests");
  await expectError(browser.call(startEnrolment, { token: "invented" }), "too_many_requests");
  await attempt(sato.passkey, browser.origin);
  const suzuki = await operatorOf(own, "Suzuki");

  // Two attempts of the registration and two logins count too.
  for (let i = 0; i < 16; i++) await expectError(attempt(sato.passkey), "wrong_passkey");
  await expectError(attempt(sato.passkey, browser.origin), "too_many_requests");
  await attempt(suzuki.passkey, browser.origin);
  own.clock.advance(15 * MINUTE_MS);
  await attempt(sato.passkey, browser.origin);
});

test("limits the requests of a session", async () => {
  const own = await serviceForTest({ config: { consolePort: 0, hasRateLimits: true } });
  const { browser } = await operatorOf(own, "Sato");

  await expectError(
    (async () => {
      for (let i = 0; i < 400; i++) await browser.call(getOperator, {});
    })(),
    "too_many_requests",
  );
});

test("has no console without CONSOLE_PORT", async () => {
  expect((await serviceForTest()).consoleUrl).toBeNull();
});
