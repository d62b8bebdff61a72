import { afterAll, beforeEach, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import {
  deleteAccount,
  getOwnUser,
  logIn,
  logInSocially,
  previewSignUpIcon,
  readSocialAccount,
  register,
  requestSignUpCode,
  socialAccountExists,
} from "@alcove/contract/accounts";
import { createClient } from "@alcove/test-services/client";
import { startGoogle } from "@alcove/test-services/google";
import { startMailbox } from "@alcove/test-services/mail";
import { MINUTE_MS } from "../../platform/clock.ts";
import { type Config, readConfig } from "../../config.ts";
import { serviceForTest } from "../../testing/match.ts";
import { expectError, type TestService } from "../../testing/test-service.ts";
import { agreed, requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";
import { dumpTables, encodingsOf, placesWith } from "../../testing/data-traces.ts";
import { findMember, restoreMember, suspendMember } from "../index.ts";

const google = await startGoogle();
const mailbox = await startMailbox();
afterAll(() => Promise.all([google.close(), mailbox.close()]));
beforeEach(() => google.behave("well"));

const HANAKO = { subject: "104839271650918273645", email: "hanako@example.com" };
for (const account of [
  HANAKO,
  { subject: "200000000000000000002", email: "taro@example.com" },
  { subject: "300000000000000000003", email: "unsure@example.com", isVerified: false },
]) {
  await google.addAccount(account);
}

const { googleClientId, googleAuthUrl, googleTokeninfoUrl, googleUserinfoUrl } = readConfig(google.variables);
const config: Partial<Config> = { googleClientId, googleAuthUrl, googleTokeninfoUrl, googleUserinfoUrl };
const withGoogle = () => serviceForTest({ config: { ...config, smtpUrl: mailbox.url } });

const provider = "google" as const;
const tokenOf = google.giveToken;

/** The complete sign-up form of a Google user. */
function googleForm(accessToken: string, options: Partial<InputOf<typeof register>> = {}) {
  const { email: _, code: __, ...form } = signUpForm({ email: "", code: "" });
  return { ...form, provider, accessToken, ...options };
}

const exists = (service: TestService, accessToken: string) =>
  service.call(socialAccountExists, { provider, accessToken });

test("signs up with Google without a code, then logs in with Google and with the password", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);

  expect(await exists(service, accessToken)).toBe(false);
  expect(await service.call(readSocialAccount, { provider, accessToken })).toEqual({ email: HANAKO.email });
  const { user } = await service.call(register, googleForm(accessToken), "ja");
  const later = await tokenOf(HANAKO.email);

  expect(user).toMatchObject({ user_id: "hanako", email: HANAKO.email });
  expect(await exists(service, later)).toBe(true);
  const tokens = await service.call(logInSocially, { provider, accessToken: later });
  expect(tokens.user).toMatchObject({ user_id: "hanako", email: HANAKO.email });
  expect(tokens.device).toMatch(/^[\w-]{43}$/);
  const response = await service.fetch("/en/users/api/user", {
    headers: { authorization: `Bearer ${tokens.access}` },
  });
  expect(response.status).toBe(200);
  await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
});

test("keeps the wire format: check-exists returns true or false, multipart is accepted, empty fields count as missing", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...googleForm(accessToken), email: "", code: "" })) {
    form.append(name, value instanceof File ? value : String(value ?? ""));
  }

  const before = await service.fetch(
    `/en/users/api/social-account/check-exists?provider=google&accessToken=${accessToken}`,
  );
  const made = await service.fetch("/en/users/api/user", { method: "POST", body: form });

  expect(await before.text()).toBe("false");
  expect(made.status).toBe(201);
});

test("returns social_account_not_found when the account is unknown", async () => {
  const service = await withGoogle();

  const apiError = await expectError(
    service.call(logInSocially, { provider, accessToken: await tokenOf(HANAKO.email) }),
    "social_account_not_found",
  );

  expect(apiError.status).toBe(404);
  expect(apiError.body["error_message"]).toBe("There is no user associated with this account");
});

test("rejects Google when a password account has the same address in any spelling", async () => {
  const service = await withGoogle();
  await service.member("hanako", { at: null, email: "HANAKO@Example.com" });
  const accessToken = await tokenOf(HANAKO.email);

  await expectError(service.call(logInSocially, { provider, accessToken }), "social_account_not_found");
  expect(await exists(service, accessToken)).toBe(true);
  const apiError = await expectError(
    service.call(register, googleForm(accessToken, { userId: "second" })),
    "invalid_input",
  );

  expect(apiError.body).toMatchObject({
    error_message: "Account already exists.",
    validation_errors: { email: ["account_exists"] },
  });
  expect(await service.db.selectFrom("members").select("user_id").execute()).toEqual([{ user_id: "hanako" }]);
  expect(await service.db.selectFrom("media_files").selectAll().execute()).toEqual([]);
});

test("keeps one member per Google account when its address changes at Google", async () => {
  const service = await withGoogle();
  await service.call(register, googleForm(await tokenOf(HANAKO.email)));
  await google.addAccount({ subject: HANAKO.subject, email: "moved@example.com" });
  const accessToken = await tokenOf("moved@example.com");

  const apiError = await expectError(
    service.call(register, googleForm(accessToken, { userId: "second" })),
    "invalid_input",
  );
  const { user } = await service.call(logInSocially, { provider, accessToken });

  expect(apiError.body["validation_errors"]).toEqual({ email: ["account_exists"] });
  expect(user).toMatchObject({ user_id: "hanako", email: HANAKO.email });
});

test("keeps the account closed when its former address belongs to another Google account", async () => {
  const service = await withGoogle();
  await google.addAccount({ subject: "400000000000000000004", email: "passed-on@example.com" });
  await service.call(register, googleForm(await tokenOf("passed-on@example.com")));
  await google.addAccount({ subject: "400000000000000000005", email: "passed-on@example.com" });

  await expectError(
    service.call(logInSocially, { provider, accessToken: await tokenOf("passed-on@example.com") }),
    "social_account_not_found",
  );
});

test("sends an explanation without a code when the address signed up with Google", async () => {
  const service = await withGoogle();
  const email = "taro@example.com";
  await service.call(register, googleForm(await tokenOf(email)));

  await service.call(requestSignUpCode, { email, ...agreed });

  expect((await mailbox.waitForEmail(email)).code).toBeNull();
});

test("rejects foreign, invented and expired tokens and unconfirmed addresses in every call", async () => {
  const service = await withGoogle();
  const past = Math.floor(Date.now() / 1_000) - 1;
  const wrong: [string, string][] = [
    [await tokenOf(HANAKO.email, { clientId: "somebody-else.apps.example.com" }), "google_token_refused"],
    [
      await tokenOf(HANAKO.email, { saying: { azp: "somebody-else.apps.example.com" } }),
      "google_token_refused",
    ],
    [await tokenOf(HANAKO.email, { expiresInSeconds: -1 }), "google_token_refused"],
    [await tokenOf(HANAKO.email, { saying: { exp: String(past) } }), "google_token_refused"],
    ["ya29.nobody-gave-this-out", "google_token_refused"],
    [await tokenOf("unsure@example.com"), "google_email_unverified"],
    [await tokenOf("unsure@example.com", { tells: "userinfo" }), "google_email_unverified"],
    [await tokenOf(HANAKO.email, { tells: "nothing" }), "google_email_unverified"],
    [
      await tokenOf(HANAKO.email, { saying: { email: "not an address" }, tells: "nothing" }),
      "google_email_unverified",
    ],
    [await tokenOf(HANAKO.email, { saying: { sub: "999" }, tells: "userinfo" }), "google_email_unverified"],
    [await tokenOf(HANAKO.email, { saying: { aud: undefined } }), "google_unavailable"],
    [await tokenOf(HANAKO.email, { saying: { exp: "soon" } }), "google_unavailable"],
    [await tokenOf(HANAKO.email, { saying: { sub: ["1"] } }), "google_unavailable"],
  ];

  for (const [accessToken, code] of wrong) {
    await expectError(exists(service, accessToken), code);
    await expectError(service.call(readSocialAccount, { provider, accessToken }), code);
    await expectError(service.call(logInSocially, { provider, accessToken }), code);
    await expectError(service.call(register, googleForm(accessToken)), code);
  }
  expect(await service.db.selectFrom("members").selectAll().execute()).toEqual([]);
});

test("accepts an address that only userinfo returns", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf("taro@example.com", { tells: "userinfo" });

  const { user } = await service.call(register, googleForm(accessToken, { userId: "taro" }));

  expect(user.email).toBe("taro@example.com");
});

test("rejects a token when it expires by Google's clock or ours", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);
  expect(await exists(service, accessToken)).toBe(false);

  service.clock.set(new Date(Date.now() + 60 * MINUTE_MS)); // Google's clock advances, ours does not

  await expectError(exists(service, accessToken), "google_token_refused");
});

test.each(["broken", "hanging up", "garbled", "endless", "silent"] as const)(
  "returns only an outage error when Google is %s",
  async (behaviour) => {
    const service = await withGoogle();
    const accessToken = await tokenOf(HANAKO.email);
    await google.behave(behaviour);

    const responses = await Promise.all([
      expectError(exists(service, accessToken), "google_unavailable"),
      expectError(service.call(logInSocially, { provider, accessToken }), "google_unavailable"),
      expectError(service.call(register, googleForm(accessToken)), "google_unavailable"),
    ]);

    for (const { status, body } of responses) {
      expect(status).toBe(503);
      expect(body).toEqual({
        code: "google_unavailable",
        error_message: "Google cannot be reached right now. Please try again later.",
      });
    }
    await google.behave("well");
    expect(await exists(service, accessToken)).toBe(false);
  },
);

test("returns the same error when nothing listens at Google's address", async () => {
  const service = await serviceForTest({
    config: { ...config, googleTokeninfoUrl: "http://127.0.0.1:1/tokeninfo" },
  });

  await expectError(exists(service, await tokenOf(HANAKO.email)), "google_unavailable");
});

test("sends Google no request when the form is invalid", async () => {
  const service = await withGoogle();
  const before = await google.asked();
  const password = "hanako-12345";
  const worst = { password, passwordConfirmation: password, date_of_birth: "2020-01-01" };

  const apiError = await expectError(
    service.call(register, googleForm(await tokenOf(HANAKO.email), worst)),
    "invalid_input",
  );

  expect(Object.keys(apiError.body["validation_errors"] as object)).toEqual(["date_of_birth", "password"]);
  expect(await google.asked()).toBe(before);
});

test("returns the missing fields when a form has neither address and code nor a provider", async () => {
  const service = await withGoogle();
  const missing = async (options: Partial<InputOf<typeof register>>) => {
    const { body } = await expectError(service.call(register, googleForm("", options)), "invalid_input");
    return body["validation_errors"];
  };

  expect(await missing({ accessToken: null })).toEqual({ email: ["required"], code: ["required"] });
  expect(await missing({ accessToken: null, email: "a@example.com" })).toEqual({ code: ["required"] });
  expect(await missing({ accessToken: await tokenOf(HANAKO.email), provider: null })).toEqual({
    provider: ["required"],
  });
});

test("creates one member when many sign-ups with one Google account arrive at the same time", async () => {
  const service = await withGoogle();
  // The account's address changes, so that the address alone cannot identify it.
  const tokens = await Promise.all(
    Array.from({ length: 8 }, (_, i) => tokenOf(HANAKO.email, { saying: { email: `once${i}@example.com` } })),
  );

  const outcomes = await Promise.allSettled(
    tokens.map((accessToken, i) => service.call(register, googleForm(accessToken, { userId: `once${i}` }))),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const table of ["members", "logins", "email_index", "social_index", "profiles"] as const) {
    expect(await service.db.selectFrom(table).select("member_no").execute()).toHaveLength(1);
  }
  const losers = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(losers.every(({ reason }) => JSON.stringify(reason.body).includes("account_exists"))).toBe(true);
});

test("creates one member when sign-ups by email and by Google for one address arrive at the same time", async () => {
  const service = await withGoogle();
  for (let round = 0; round < 5; round++) {
    const email = `both${round}@example.com`;
    await google.addAccount({ subject: `50000000000000000000${round}`, email });
    const code = await requestSignUpCodeFor(service, mailbox, email);
    const accessToken = await tokenOf(email);

    const outcomes = await Promise.allSettled([
      service.call(register, signUpForm({ email, code, userId: `letter${round}` })),
      service.call(register, googleForm(accessToken, { userId: `google${round}` })),
    ]);

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await service.db.selectFrom("members").select("user_id").execute()).toHaveLength(round + 1);
  }
});

test("rejects a suspended member's Google login until they are restored", async () => {
  const service = await withGoogle();
  await service.call(register, googleForm(await tokenOf(HANAKO.email)));
  const { memberId } = (await findMember(service.ctx, "hanako"))!;
  const accessToken = await tokenOf(HANAKO.email);

  await suspendMember(service.ctx, memberId);
  const apiError = await expectError(
    service.call(logInSocially, { provider, accessToken }),
    "account_suspended",
  );
  await restoreMember(service.ctx, memberId);

  expect(apiError.status).toBe(401);
  await service.call(logInSocially, { provider, accessToken });
});

test("deletes the Google account with the member, who may sign up with it again", async () => {
  const service = await withGoogle();
  await service.call(register, googleForm(await tokenOf(HANAKO.email)));
  const { access } = await service.call(logInSocially, {
    provider,
    accessToken: await tokenOf(HANAKO.email),
  });
  const { social_digest } = await service.db
    .selectFrom("members")
    .select("social_digest")
    .executeTakeFirstOrThrow();

  await service.fetch(`/en${deleteAccount.path}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${access}` },
  });

  expect(placesWith([social_digest!], await dumpTables(service.databaseUrl))).toEqual([]);
  expect(await service.db.selectFrom("social_index").selectAll().execute()).toEqual([]);
  const accessToken = await tokenOf(HANAKO.email);
  await expectError(service.call(logInSocially, { provider, accessToken }), "social_account_not_found");
  await service.call(register, googleForm(accessToken));
});

test("stores neither the token nor Google's subject nor the address", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);
  await service.call(register, googleForm(accessToken));
  await service.call(logInSocially, { provider, accessToken });

  const places = await dumpTables(service.databaseUrl);

  expect(placesWith(encodingsOf("hanako"), places)).toContain("public.members");
  for (const secret of [accessToken, HANAKO.subject, HANAKO.email]) {
    expect(placesWith(encodingsOf(secret), places)).toEqual([]);
  }
});

test("stores the inviter and the third consent with its time", async () => {
  const service = await withGoogle();
  service.clock.set(new Date(Date.now() + 60_000));
  const inviter = await service.member("inviter", { at: null });

  const accessToken = await tokenOf(HANAKO.email);
  await service.call(
    register,
    googleForm(accessToken, { agree_sensitive: "yes", invited_by_user_id: "INVITER" }),
  );

  const row = await service.db
    .selectFrom("members")
    .select(["invited_by", "sensitive_agreed_at"])
    .where("user_id", "=", "hanako")
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ invited_by: inviter.memberId, sensitive_agreed_at: service.clock.now() });
});

test("returns not_found when Google is not configured", async () => {
  const service = await serviceForTest();
  const accessToken = await tokenOf(HANAKO.email);

  await expectError(exists(service, accessToken), "not_found");
  await expectError(service.call(logInSocially, { provider, accessToken }), "not_found");
  await expectError(service.call(register, googleForm(accessToken)), "not_found");
});

test("opens a normal session when a member logs in with Google", async () => {
  const service = await withGoogle();
  await service.call(register, googleForm(await tokenOf(HANAKO.email)));

  const first = await service.call(logInSocially, { provider, accessToken: await tokenOf(HANAKO.email) });
  const again = await service.call(logInSocially, {
    provider,
    accessToken: await tokenOf(HANAKO.email),
    device: first.device,
  });

  expect(again.device).toBe(first.device);
  expect((await createClient(service.url, again.access).call(getOwnUser, {})).user.user_id).toBe("hanako");
});

test("allows sixty requests to Google per quarter of an hour and network, over all calls", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true, trustProxy: true } });
  const before = await google.asked();
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
  expect((await google.asked()) - before).toBe(60);
  expect((await ask(logInSocially.path, "2001:db8:1:2::2")).headers.get("retry-after")).toBe("900");
  expect((await ask(logInSocially.path, "203.0.113.7")).status).toBe(401);
  service.clock.advance(15 * MINUTE_MS);
  expect((await ask(logInSocially.path, "2001:db8:1:2::1")).status).toBe(401);
});

test("counts a picture preview during sign-up for the same limit", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true } });
  const accessToken = await tokenOf(HANAKO.email);
  for (let i = 0; i < 60; i++) await exists(service, accessToken);

  const { icon } = googleForm(accessToken);
  await expectError(service.call(previewSignUpIcon, { provider, accessToken, icon }), "too_many_requests");
  await expectError(service.call(register, googleForm(accessToken)), "too_many_requests");
});
