import { beforeAll, expect, test } from "vitest";
import { register } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { buildRequest } from "@alcove/contract/request";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { HOUR_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";
import { recordStatements } from "../../testing/statements.ts";
import type { TestService } from "../../testing/test-service.ts";

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  return () => mailbox.close();
});

async function send(service: TestService, form: object, ip = "203.0.113.1") {
  const { path, method, headers, body } = buildRequest(register, form as never);
  const response = await service.fetch(path, {
    method,
    headers: { ...headers, "x-forwarded-for": ip },
    body,
  });
  return {
    status: response.status,
    body: (await response.json()) as { code?: string; validation_errors?: Record<string, string[]> },
    retryAfter: Number(response.headers.get("retry-after")),
  };
}

test("looks no user id up and responds alike without a proof", async () => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  await service.member("taken", { at: null });
  const email = "prober@example.com";
  await requestSignUpCodeFor(service, mailbox, email);
  const wrong = { email, code: "00000000" };
  const forms = [
    (userId: string) => ({ userId, provider: "google" }),
    (userId: string) => ({ userId, email }),
    (userId: string) => ({ userId, ...wrong }),
    (userId: string) => ({ ...signUpForm({ ...wrong, userId }), search_min_age: 130 }),
    (userId: string) => signUpForm({ ...wrong, userId }),
    (userId: string) => ({ ...signUpForm({ ...wrong, userId }), code: undefined, provider: "google" }),
  ];

  for (const form of forms) {
    let taken;
    const statements = await recordStatements(async () => void (taken = await send(service, form("taken"))));
    expect(await send(service, form("spare"))).toEqual(taken);
    expect(statements.filter((statement) => /\blogins\b/.test(statement))).toEqual([]);
  }
});

test("looks up twenty user ids an hour per proof, also from several networks", async () => {
  const service = await serviceForTest({
    config: { smtpUrl: mailbox.url, hasRateLimits: true, trustProxy: true },
  });
  await service.member("taken", { at: null });
  const email = "lister@example.com";
  const form = signUpForm({
    email,
    code: await requestSignUpCodeFor(service, mailbox, email),
    userId: "taken",
  });

  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => send(service, form, `203.0.113.${i % 4}`)),
  );

  expect(results.filter(({ body }) => body.validation_errors?.["user_id"])).toHaveLength(20);
  const rejected = results.filter(({ status }) => status === 429);
  expect(rejected).toHaveLength(20);
  expect(rejected[0]).toMatchObject({ body: { code: "too_many_requests" }, retryAfter: HOUR_MS / 1_000 });
});

test("looks up twenty user ids an hour per network, also with several proofs", async () => {
  const service = await serviceForTest({
    config: { smtpUrl: mailbox.url, hasRateLimits: true, trustProxy: true },
  });
  await service.member("taken", { at: null });
  const emails = Array.from({ length: 4 }, (_, i) => `lister-${i}@example.com`);
  const forms: object[] = [];
  for (const email of emails) {
    const code = await requestSignUpCodeFor(service, mailbox, email);
    forms.push(signUpForm({ email, code, userId: "taken" }));
  }

  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => send(service, forms[i % 4]!, `2001:db8:1:2::${i}`)),
  );

  expect(results.filter(({ status }) => status === 400)).toHaveLength(20);
  expect(results.filter(({ status, retryAfter }) => status === 429 && retryAfter > 0)).toHaveLength(20);
  expect((await send(service, forms[0]!, "2001:db8:1:3::1")).status).toBe(400);
});

test("counts wrong codes of incomplete forms, and looks up nothing once the code is closed", async () => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  await service.member("taken", { at: null });
  const email = "guesser@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  expect((await send(service, { email, code, userId: "taken" })).body.validation_errors).toMatchObject({
    user_id: ["user_id_taken"],
  });

  for (let i = 0; i < CODE_MISSES; i++) await send(service, { email, code: "00000000", userId: "taken" });

  expect((await send(service, { email, code, userId: "taken" })).body.validation_errors).toEqual({
    code: ["code_wrong"],
  });
});
