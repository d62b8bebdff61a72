import argon2 from "@node-rs/argon2";
import { afterAll, expect, test, vi } from "vitest";
import { checkSignUpCode, logIn, requestSignUpCode } from "@alcove/contract/accounts";
import { checkResetCode, requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { storedEmailJobs } from "../../testing/jobs.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestService } from "../../testing/test-service.ts";
import { agreed } from "../../testing/sign-up.ts";
import { recordStatements } from "../../testing/statements.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { config: { smtpUrl: mailbox.url } };
const NEW = { password: "louder-mornings-8", passwordConfirmation: "louder-mornings-8" };

/** Counts statements, jobs and password hashes of an action. */
async function workOf(service: TestService, act: () => Promise<unknown>) {
  const before = (await storedEmailJobs(service)).length;
  const runs = [vi.spyOn(argon2, "verify"), vi.spyOn(argon2, "hash")]; // the real functions, counted
  const statements = await recordStatements(act);
  const counted = runs.map((spy) => spy.mock.calls.length);
  for (const spy of runs) spy.mockRestore();
  return {
    statements,
    jobs: (await storedEmailJobs(service)).length - before,
    runs: counted[0]! + counted[1]!,
  };
}

/** Actions that name an address or a user id and must not reveal a member. */
const ACTS: Record<
  string,
  { act: (service: TestService, name: string) => Promise<unknown>; runs: number; jobs: number }
> = {
  "the first step of signing up": {
    act: (service, name) =>
      service.call(requestSignUpCode, { email: `${name}@example.com`, ...agreed, agree_sensitive: "yes" }),
    runs: 0,
    jobs: 1,
  },
  "a wrong code while signing up": {
    act: (service, name) => service.call(checkSignUpCode, { email: `${name}@example.com`, code: "00000000" }),
    runs: 0,
    jobs: 0,
  },
  "the first step of resetting": {
    act: (service, name) => service.call(requestResetCode, { email: `${name}@example.com` }),
    runs: 0,
    jobs: 1,
  },
  "the first step of resetting from a device": {
    act: (service, name) =>
      service.call(requestResetCode, { email: `${name}@example.com`, device: "x".repeat(43) }),
    runs: 0,
    jobs: 1,
  },
  "a wrong code while resetting": {
    act: (service, name) => service.call(checkResetCode, { email: `${name}@example.com`, code: "00000000" }),
    runs: 0,
    jobs: 0,
  },
  "a wrong code in the last step of resetting": {
    act: (service, name) =>
      service.call(resetPassword, { email: `${name}@example.com`, code: "00000000", ...NEW }),
    runs: 0,
    jobs: 0,
  },
  "a login": {
    act: (service, name) => logInWrongly(service, name, {}),
    runs: 1,
    jobs: 0,
  },
  "a login with an email address": {
    act: (service, name) => logInWrongly(service, `${name}@example.com`, {}),
    runs: 1,
    jobs: 0,
  },
  "a login with an email address from a device": {
    act: (service, name) => logInWrongly(service, `${name}@example.com`, { device: "x".repeat(43) }),
    runs: 1,
    jobs: 0,
  },
  "a login with a recovery code": {
    act: (service, name) => logInWrongly(service, name, { password: null, recovery_code: "ABCDEFGHJKLM" }),
    runs: 0,
    jobs: 0,
  },
};

const logInWrongly = (service: TestService, user_id: string, more: object) =>
  expectError(service.call(logIn, { user_id, password: "not this one", ...more }), "wrong_credentials");

test.each(Object.entries(ACTS))(
  "%s runs the same statements, jobs and Argon2 hashes when the account does not exist",
  async (_, { act, runs, jobs }) => {
    const service = await serviceForTest({ config: { ...smtp.config, hasRateLimits: true } });
    await service.member("known", { at: null, password: "quiet-evenings-7" });
    await service.ctx.jobs.stop();
    await service.ctx.encryption.keys.daily();

    const known = await workOf(service, () => act(service, "known"));
    const unknown = await workOf(service, () => act(service, "nobody"));

    expect(known).toMatchObject({ runs, jobs });
    expect(unknown).toEqual(known);
  },
);

test.each([
  ["sign_up_email", requestSignUpCode, agreed],
  ["reset_password_email", requestResetCode, {}],
] as const)(
  "stores one challenge per address when the job of the first step runs (%s)",
  async (job, call, more) => {
    const service = await serviceForTest(smtp);
    const known = `known-${job}@example.com`;
    await service.member("known", { at: null, email: known });

    for (const email of [known, `nobody-${job}@example.com`]) {
      await service.call(call, { email, ...more });
      await mailbox.waitForEmail(email);
    }

    const rounds = await service.db
      .selectFrom("codes")
      .select(["browser_misses", "network_misses", "other_misses", "had_cookie", "purpose"])
      .execute();
    expect(rounds).toHaveLength(2);
    expect(rounds[1]).toEqual(rounds[0]);
  },
);
