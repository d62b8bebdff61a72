import { expect, test } from "vitest";
import { logInSocially, previewSignUpIcon, readSocialAccount, register } from "@alcove/contract/accounts";
import { MINUTE_MS } from "../../platform/clock.ts";
import { dumpTables, encodingsOf, placesWith } from "../../testing/data-traces.ts";
import { fakeGoogleForFile, googleForm, HANAKO, hasGoogleAccount } from "../../testing/google.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError } from "../../testing/test-service.ts";

const { google, config } = await fakeGoogleForFile();

const provider = "google" as const;
const tokenOf = google.issueToken;
const withGoogle = () => serviceForTest({ config });

test("rejects foreign, invented and expired tokens and unconfirmed addresses in every call", async () => {
  const service = await withGoogle();
  const past = Math.floor(service.clock.now().getTime() / 1_000) - 1;
  const wrong: [string, string][] = [
    [await tokenOf(HANAKO.email, { clientId: "somebody-else.apps.example.com" }), "google_token_refused"],
    [
      await tokenOf(HANAKO.email, { claims: { azp: "somebody-else.apps.example.com" } }),
      "google_token_refused",
    ],
    [await tokenOf(HANAKO.email, { expiresInSeconds: -1 }), "google_token_refused"],
    [await tokenOf(HANAKO.email, { claims: { exp: String(past) } }), "google_token_refused"],
    ["ya29.nobody-gave-this-out", "google_token_refused"],
    [await tokenOf("unsure@example.com"), "google_email_unverified"],
    [await tokenOf("unsure@example.com", { emailFrom: "userinfo" }), "google_email_unverified"],
    [await tokenOf(HANAKO.email, { emailFrom: "none" }), "google_email_unverified"],
    [
      await tokenOf(HANAKO.email, { claims: { email: "not an address" }, emailFrom: "none" }),
      "google_email_unverified",
    ],
    [
      await tokenOf(HANAKO.email, { claims: { sub: "999" }, emailFrom: "userinfo" }),
      "google_email_unverified",
    ],
    [await tokenOf(HANAKO.email, { claims: { aud: undefined } }), "google_unavailable"],
    [await tokenOf(HANAKO.email, { claims: { exp: "soon" } }), "google_unavailable"],
    [await tokenOf(HANAKO.email, { claims: { sub: ["1"] } }), "google_unavailable"],
  ];

  for (const [accessToken, code] of wrong) {
    await expectError(hasGoogleAccount(service, accessToken), code);
    await expectError(service.call(readSocialAccount, { provider, accessToken }), code);
    await expectError(service.call(logInSocially, { provider, accessToken }), code);
    await expectError(service.call(register, googleForm(accessToken)), code);
  }
  expect(await service.db.selectFrom("members").selectAll().execute()).toEqual([]);
});

test("accepts an address that only userinfo returns", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf("taro@example.com", { emailFrom: "userinfo" });

  const { user } = await service.call(register, googleForm(accessToken, { userId: "taro" }));

  expect(user.email).toBe("taro@example.com");
});

test("rejects a token when it expires by Google's clock or ours", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);
  expect(await hasGoogleAccount(service, accessToken)).toBe(false);

  service.clock.set(new Date(Date.now() + 60 * MINUTE_MS)); // Google's clock advances, ours does not

  await expectError(hasGoogleAccount(service, accessToken), "google_token_refused");
});

test.each(["broken", "hanging up", "garbled", "endless"] as const)(
  "returns only an outage error when Google is %s",
  async (behaviour) => {
    const service = await withGoogle();
    const accessToken = await tokenOf(HANAKO.email);
    await google.setBehaviour(behaviour);

    const responses = await Promise.all([
      expectError(hasGoogleAccount(service, accessToken), "google_unavailable"),
      expectError(service.call(logInSocially, { provider, accessToken }), "google_unavailable"),
      expectError(service.call(register, googleForm(accessToken)), "google_unavailable"),
    ]);

    for (const { status, body } of responses) {
      expect(status).toBe(503);
      expect(body).toEqual({
        code: "google_unavailable",
        error_message: "Google cannot be reached at the moment. Please try again later.",
      });
    }
    await google.setBehaviour("well");
    expect(await hasGoogleAccount(service, accessToken)).toBe(false);
  },
);

test("returns the same error when nothing listens at Google's address", async () => {
  const service = await serviceForTest({
    config: { ...config, googleTokeninfoUrl: "http://127.0.0.1:1/tokeninfo" },
  });

  await expectError(hasGoogleAccount(service, await tokenOf(HANAKO.email)), "google_unavailable");
});

test("sends Google one request when the form is invalid, because the user id is checked", async () => {
  const service = await withGoogle();
  const before = await google.requestCount();
  const password = "hanako-12345";
  const worst = { password, passwordConfirmation: password, date_of_birth: "2020-01-01" };

  const apiError = await expectError(
    service.call(register, googleForm(await tokenOf(HANAKO.email), worst)),
    "invalid_input",
  );

  expect(Object.keys(apiError.body["validation_errors"] as object).toSorted()).toEqual([
    "date_of_birth",
    "password",
  ]);
  expect(await google.requestCount()).toBe(before + 1);
});

test("stores neither the token nor Google's subject nor the address", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);
  await service.call(register, googleForm(accessToken));
  await service.call(logInSocially, { provider, accessToken });

  const places = await dumpTables(service.databaseUrl);

  expect(placesWith(encodingsOf("active"), places)).toContain("public.members");
  for (const secret of [accessToken, HANAKO.subject, HANAKO.email]) {
    expect(placesWith(encodingsOf(secret), places)).toEqual([]);
  }
});

test("returns not_found when Google is not configured", async () => {
  const service = await serviceForTest();
  const accessToken = await tokenOf(HANAKO.email);

  await expectError(hasGoogleAccount(service, accessToken), "not_found");
  await expectError(service.call(logInSocially, { provider, accessToken }), "not_found");
  await expectError(service.call(register, googleForm(accessToken)), "not_found");
});

test("allows sixty requests to Google per quarter of an hour and network, over all calls", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true, trustProxy: true } });
  const before = await google.requestCount();
  const ask = (path: string, from: string) =>
    service.fetch(`/en${path}`, {
      method: "POST",
      headers: { "x-forwarded-for": from },
      body: new URLSearchParams({ provider, accessToken: "ya29.nobody-gave-this-out" }),
    });
  const paths = [logInSocially.path, readSocialAccount.path];

  const statuses: number[] = [];
  for (let round = 0; round < 2; round++) {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(paths[i % 2]!, "2001:db8:1:2::1")),
    );
    statuses.push(...responses.map(({ status }) => status));
  }

  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  expect((await google.requestCount()) - before).toBe(60);
  expect((await ask(logInSocially.path, "2001:db8:1:2::2")).headers.get("retry-after")).toBe("900");
  expect((await ask(logInSocially.path, "203.0.113.7")).status).toBe(401);
  service.clock.advance(15 * MINUTE_MS);
  expect((await ask(logInSocially.path, "2001:db8:1:2::1")).status).toBe(401);
});

test("counts a picture preview during sign-up for the same limit", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true } });
  const accessToken = await tokenOf(HANAKO.email);
  for (let i = 0; i < 60; i++) await hasGoogleAccount(service, accessToken);

  const { icon } = googleForm(accessToken);
  await expectError(service.call(previewSignUpIcon, { provider, accessToken, icon }), "too_many_requests");
  await expectError(service.call(register, googleForm(accessToken)), "too_many_requests");
});
