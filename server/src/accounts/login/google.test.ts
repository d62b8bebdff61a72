import { afterAll, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import {
  deleteAccount,
  getOwnUser,
  logIn,
  logInSocially,
  readSocialAccount,
  register,
  requestSignUpCode,
} from "@alcove/contract/accounts";
import { PRIVACY_VERSION, TERMS_VERSION } from "@alcove/contract/legal-versions";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { rounds } from "../../testing/rounds.ts";
import { dumpTables, placesWith } from "../../testing/data-traces.ts";
import { hold } from "../../testing/hold.ts";
import { countLockWaits } from "../../testing/statements.ts";
import { fakeGoogleForFile, googleForm, HANAKO, hasGoogleAccount } from "../../testing/google.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { agreed, requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";
import { eventually, expectError } from "../../testing/test-service.ts";
import { restoreMember, suspendMember } from "../index.ts";
import { findMember, findMemberId } from "../../members/find-member.ts";

const { google, config } = await fakeGoogleForFile();
const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const provider = "google" as const;
const tokenOf = google.issueToken;
const withGoogle = () => serviceForTest({ config: { ...config, smtpUrl: mailbox.url } });

test("signs up with Google without a code, then logs in with Google and with the password", async () => {
  const service = await withGoogle();
  const accessToken = await tokenOf(HANAKO.email);

  expect(await hasGoogleAccount(service, accessToken)).toBe(false);
  expect(await service.call(readSocialAccount, { provider, accessToken })).toEqual({ email: HANAKO.email });
  const { user } = await service.call(register, googleForm(accessToken), "ja");
  const later = await tokenOf(HANAKO.email);

  expect(user).toMatchObject({ user_id: "hanako", email: HANAKO.email });
  expect(await hasGoogleAccount(service, later)).toBe(true);
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
  expect(await hasGoogleAccount(service, accessToken)).toBe(true);
  const apiError = await expectError(
    service.call(register, googleForm(accessToken, { userId: "second" })),
    "invalid_input",
  );

  expect(apiError.body).toMatchObject({
    error_message: "Account already exists.",
    validation_errors: { email: ["account_exists"] },
  });
  expect(await service.db.selectFrom("members").select("member_no").execute()).toHaveLength(1);
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
    Array.from({ length: 8 }, (_, i) => tokenOf(HANAKO.email, { claims: { email: `once${i}@example.com` } })),
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
  for (let round = 0; round < rounds(5); round++) {
    const email = `both${round}@example.com`;
    await google.addAccount({ subject: `50000000000000000000${round}`, email });
    const code = await requestSignUpCodeFor(service, mailbox, email);
    const accessToken = await tokenOf(email);

    const outcomes = await Promise.allSettled([
      service.call(register, signUpForm({ email, code, userId: `email${round}` })),
      service.call(register, googleForm(accessToken, { userId: `google${round}` })),
    ]);

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await service.db.selectFrom("members").select("member_no").execute()).toHaveLength(round + 1);
  }
});

test("opens only the case by a suspended member's Google login until they are restored", async () => {
  const service = await withGoogle();
  await service.call(register, googleForm(await tokenOf(HANAKO.email)));
  const { memberId } = (await findMember(service.ctx, "hanako"))!;
  const accessToken = await tokenOf(HANAKO.email);

  await suspendMember(service.ctx, memberId);
  const suspended = await service.call(logInSocially, { provider, accessToken });
  await restoreMember(service.ctx, memberId);

  expect(suspended.scope).toBe("case");
  expect(await service.call(logInSocially, { provider, accessToken })).not.toHaveProperty("scope");
});

test("opens nothing by a Google account that the member loses while the login waits", async () => {
  const service = await withGoogle();
  await service.call(register, googleForm(await tokenOf(HANAKO.email)));
  const changing = await hold(
    service.db,
    "update members set social_digest = null; delete from social_index",
  );
  const accessToken = await tokenOf(HANAKO.email);
  const rejected = expectError(
    service.call(logInSocially, { provider, accessToken }),
    "social_account_not_found",
  );
  await eventually(async () => expect(await countLockWaits(service)).toBe(1));

  await changing.release();

  await rejected;
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
  await service.call(register, googleForm(accessToken, { userId: "hanako-again" }));
});

test("stores the inviter and both consents", async () => {
  const service = await withGoogle();
  service.clock.set(new Date(Date.now() + 60_000));
  const inviter = await service.member("inviter", { at: null });

  const accessToken = await tokenOf(HANAKO.email);
  await service.call(register, googleForm(accessToken, { invited_by_user_id: "INVITER" }));

  const row = await service.db
    .selectFrom("members")
    .select(["invited_by", "terms_version", "privacy_version"])
    .where("member_no", "=", (await findMemberId(service.ctx, "hanako"))!)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({
    invited_by: inviter.memberId,
    terms_version: TERMS_VERSION,
    privacy_version: PRIVACY_VERSION,
  });
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
