import { availableParallelism } from "node:os";
import argon2 from "@node-rs/argon2";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { confirmPassword, register } from "@alcove/contract/accounts";
import { changePassword, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { requestResetCodeFor, requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";
import { eventually, type TestService } from "../../testing/test-service.ts";

const PASSWORD = "quiet-evenings-7";
const NEW = "louder-mornings-8";
/** More than can run and wait. */
const FLOOD = 100 * availableParallelism();
const ADMITTED = 33 * availableParallelism();
const slow = { timeout: 120_000 };
const mailbox = await startMailbox();
afterAll(() => mailbox.close());

let running = 0;
let mostRunning = 0;
/** Holds the hashes back until the queue is full. */
let mayRun = Promise.withResolvers<void>();

/** Counts the hashes that really run. */
beforeEach(() => {
  [running, mostRunning] = [0, 0];
  mayRun = Promise.withResolvers();
  for (const name of ["hash", "verify"] as const) {
    const real = argon2[name] as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(argon2, name).mockImplementation((async (...args: unknown[]) => {
      mostRunning = Math.max(mostRunning, ++running);
      await mayRun.promise;
      return real(...args).finally(() => running--);
    }) as never);
  }
});
afterEach(() => vi.restoreAllMocks());

async function tryLogin(service: TestService, user_id: string, ip: string, more = {}) {
  const response = await service.fetch("/en/api/token/", {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": ip },
    body: JSON.stringify({ user_id, password: "wrong", ...more }),
  });
  const { code = "" } = (await response.json()) as { code?: string };
  return { status: response.status, code, retryAfter: response.headers.get("retry-after") };
}

/** Starts a flood, and waits until all attempts beyond the queue are rejected. */
async function fillQueue(attempt: (i: number) => ReturnType<typeof tryLogin>) {
  const rejected: Awaited<ReturnType<typeof tryLogin>>[] = [];
  const attempts = Array.from({ length: FLOOD }, async (_, i) => {
    const response = await attempt(i);
    if (response.status === 503) rejected.push(response);
  });
  await eventually(() => expect(rejected).toHaveLength(FLOOD - ADMITTED), 60_000);
  return { rejected, all: Promise.all(attempts) };
}

test("runs at most as many hashes as there are cores, for all calls together", async () => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  mayRun.resolve();
  const members = [];
  for (let i = 0; i < 6; i++)
    members.push(await service.member(`member-${i}`, { at: null, password: PASSWORD }));
  const email = "newcomer@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const resetCode = await requestResetCodeFor(service, mailbox, "member-5@example.com");
  const change = { password: PASSWORD, newPassword: NEW, newPasswordConfirmation: NEW };
  mostRunning = 0;

  await Promise.all([
    ...Array.from({ length: 20 }, (_, i) => tryLogin(service, `member-${i}`, "203.0.113.1")),
    ...members.slice(0, 3).map((member) => member.call(confirmPassword, { password: "wrong" })),
    ...members.slice(3, 5).map((member) => member.call(changePassword, change)),
    service.call(register, signUpForm({ email, code, userId: "newcomer" })),
    service.call(resetPassword, {
      email: "member-5@example.com",
      code: resetCode,
      password: NEW,
      passwordConfirmation: NEW,
    }),
  ]);

  expect(mostRunning).toBeGreaterThan(0);
  expect(mostRunning).toBeLessThanOrEqual(availableParallelism());
});

test("rejects the flood of one network with 503 and admits a login from elsewhere", slow, async () => {
  const service = await serviceForTest({ config: { trustProxy: true } });
  mayRun.resolve();
  await service.member("hanako", { at: null, password: PASSWORD });
  mayRun = Promise.withResolvers();

  const flood = await fillQueue((i) => tryLogin(service, `member-${i}`, `2001:db8:1:2::${i.toString(16)}`));
  const honest = tryLogin(service, "hanako", "203.0.113.1", { password: PASSWORD });
  await eventually(() => expect(flood.rejected).toHaveLength(FLOOD - ADMITTED + 1));
  mayRun.resolve();

  expect((await honest).status).toBe(200);
  await flood.all;
  expect(flood.rejected[0]).toEqual({ status: 503, code: "service_unavailable", retryAfter: "2" });
});

test("counts no attempt that the full queue rejected", slow, async () => {
  const service = await serviceForTest({ config: { trustProxy: true, hasRateLimits: true } });

  const flood = await fillQueue((i) => tryLogin(service, `member-${i}`, `10.1.${i >> 8}.${i & 255}`));
  mayRun.resolve();
  await flood.all;

  const counted = await service.db.selectFrom("rate_limits").select("hits").execute();
  // One for the account, one for the network and one for its /24.
  expect(counted.flatMap(({ hits }) => hits)).toHaveLength(3 * ADMITTED);
});
