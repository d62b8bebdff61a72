import { afterAll, beforeAll, expect, test } from "vitest";
import {
  checkSignUpCode,
  getOwnUser,
  getWsTicket,
  logIn,
  refreshTokens,
  requestSignUpCode,
} from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { closeCodes } from "@alcove/contract/close-codes";
import { checkResetCode, requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { rounds } from "../../testing/rounds.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import {
  eventually,
  openSocket,
  expectError,
  testService,
  type TestService,
} from "../../testing/test-service.ts";
import { makeJobsDue, storedEmailJobs } from "../../testing/jobs.ts";
import { agreed, requestSignUpCodeFor, requestResetCodeFor, wrongCode } from "../../testing/sign-up.ts";
import { deleteMember, openSession, suspendMember } from "../index.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { config: { smtpUrl: mailbox.url } };
/** Of the tests that count no rows and set no clock. */
let service: TestService;
beforeAll(async () => {
  service = await testService(smtp);
});

const OLD = "quiet-evenings-7";
const NEW = "louder-mornings-8";
const both = (password: string) => ({ password, passwordConfirmation: password });

test("sets a new password with the code of an email", async () => {
  await service.member("hanako", { at: null, password: OLD });
  const email = "hanako@example.com";

  const code = await requestResetCodeFor(service, mailbox, email);
  expect(await service.call(checkResetCode, { email, code })).toBe(true);
  expect(await service.call(resetPassword, { email: "HANAKO@example.com", code, ...both(NEW) })).toBe(true);

  await service.call(logIn, { user_id: "hanako", password: NEW });
  await expectError(service.call(logIn, { user_id: "hanako", password: OLD }), "wrong_credentials");
  expect((await mailbox.waitForEmail(email, 2)).text).toContain("The password of your account was changed");
});

test("separates the three steps in the forms of other clients", async () => {
  await service.member("wire", { at: null, password: OLD });
  const email = "wire@example.com";
  const post = async (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const response = await service.fetch("/ja/users/api/reset-password", { method: "POST", body: form });
    return { status: response.status, body: await response.json() };
  };

  expect(await post({ email: "no address" })).toEqual({
    status: 200,
    body: { error_message: "有効なメールアドレスを入力してください。" },
  });
  expect(await post({ email, recaptchaAction: "ResetPassword", recaptchaToken: "x" })).toEqual({
    status: 200,
    body: {},
  });
  const { code } = await mailbox.waitForEmail(email);
  expect(await post({ email, code: wrongCode(code!) })).toEqual({ status: 200, body: false });
  expect(await post({ email, code: code! })).toEqual({ status: 200, body: true });
  expect(await post({ email, code: code!, password: "" })).toEqual({
    status: 400,
    body: expect.objectContaining({
      code: "invalid_input",
      validation_errors: { password: ["required"], password_confirmation: ["required"] },
    }),
  });
  expect(await post({ email, code: code!, ...both(NEW) })).toEqual({ status: 200, body: true });
  expect(await post({ email, code: code!, ...both(NEW) })).toEqual({ status: 200, body: false });

  await post({ email, recaptchaAction: "ResetPassword", recaptchaToken: "x" });
  const { code: again } = await mailbox.waitForEmail(email, 3);
  const asking = { email, ...both("a third evening at home"), return_user_id: "yes" };
  expect(await post({ ...asking, code: wrongCode(again!) })).toEqual({ status: 200, body: false });
  expect(await post({ ...asking, code: again! })).toEqual({ status: 200, body: { user_id: "wire" } });
});

test("ends all sessions with their tokens, tickets and sockets on every process when the password is reset", async () => {
  const service = await serviceForTest(smtp);
  const beside = await serviceForTest({ ...smtp, beside: service });
  const hanako = await service.member("hanako-ends", { at: null, password: OLD });
  const taro = await service.member("taro-stays", { at: null });
  const second = await service.call(logIn, { user_id: "hanako-ends", password: OLD });
  const swapped = await service.call(refreshTokens, { refresh: second.refresh });
  const { ticket } = await hanako.call(getWsTicket, {});
  const socketAt = ({ url }: { url: string }, query: string) =>
    openSocket(`${url.replace("http", "ws")}/ws/events?${query}`);
  const sockets = await Promise.all([
    socketAt(service, `token=${hanako.access}`),
    socketAt(beside, `token=${swapped.access}`),
  ]);
  const others = await socketAt(service, `token=${taro.access}`);
  await eventually(() => expect(service.ctx.sockets.count + beside.ctx.sockets.count).toBe(3));

  const email = "hanako-ends@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);
  await service.call(resetPassword, { email, code, ...both(NEW) });

  await expectError(hanako.call(getOwnUser, {}), "login_required");
  await expectError(
    beside.memberAt({ ...hanako, access: swapped.access }).call(getOwnUser, {}),
    "login_required",
  );
  for (const { refresh } of [hanako, second, swapped]) {
    await expectError(service.call(refreshTokens, { refresh }), "login_required");
  }
  await eventually(() =>
    expect(sockets.map(({ closed }) => closed)).toEqual([closeCodes.badToken, closeCodes.badToken]),
  );
  const late = await socketAt(service, `ticket=${ticket}`);
  await eventually(() => expect(late.closed).toBe(closeCodes.badToken));
  expect(others.closed).toBeNull();
  await taro.call(getOwnUser, {});
});

test("opens no lasting session when a login with the old password races a reset", async () => {
  for (let round = 0; round < rounds(12); round++) {
    const name = `moment${round}`;
    const email = `${name}@example.com`;
    await service.member(name, { at: null, password: OLD });
    const code = await requestResetCodeFor(service, mailbox, email);

    const [reset, ...logins] = await Promise.allSettled([
      service.call(resetPassword, { email, code, ...both(NEW) }),
      ...Array.from({ length: 4 }, () => service.call(logIn, { user_id: name, password: OLD })),
    ]);

    expect(reset).toMatchObject({ status: "fulfilled", value: true });
    for (const login of logins) {
      if (login.status !== "fulfilled") continue;
      await expectError(service.call(refreshTokens, { refresh: login.value.refresh }), "login_required");
    }
  }
});

test("sets one password when many resets use one code at the same time", async () => {
  const service = await serviceForTest(smtp);
  await service.member("once", { at: null, password: OLD });
  const email = "once@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);

  const passwords = Array.from({ length: 8 }, (_, i) => `${NEW}-${i}`);
  const outcomes = await Promise.all(
    passwords.map((password) => service.call(resetPassword, { email, code, ...both(password) })),
  );

  expect(outcomes.filter(Boolean)).toHaveLength(1);
  await service.call(logIn, { user_id: "once", password: passwords[outcomes.indexOf(true)]! });
  await mailbox.waitForEmail(email, 3);
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
  expect(mailbox.emails(email)).toHaveLength(3); // the code, the new password, the new device
});

test("keeps a used code invalid when its email is sent again", async () => {
  const service = await serviceForTest(smtp);
  await service.member("copied", { at: null, password: OLD });
  const email = "copied@example.com";
  mailbox.loseNextResponse();
  const code = await requestResetCodeFor(service, mailbox, email);
  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(true);

  await eventually(async () => {
    await makeJobsDue(service);
    expect(mailbox.emails(email).filter((sentEmail) => sentEmail.code === code)).toHaveLength(2);
  });

  expect(await service.call(checkResetCode, { email, code })).toBe(false);
  expect(await service.call(resetPassword, { email, code, ...both(OLD) })).toBe(false);
});

test("keeps the code valid when other fields are invalid, and checks the code last", async () => {
  await service.member("faults", { at: null, password: OLD });
  const email = "faults@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);
  const errors = async (input: { code: string; password: string; passwordConfirmation: string }) =>
    (await expectError(service.call(resetPassword, { email, ...input }), "invalid_input")).body;

  for (let i = 0; i <= CODE_MISSES; i++) {
    const body = await errors({ code: wrongCode(code), password: NEW, passwordConfirmation: OLD });
    expect(body["validation_errors"]).toEqual({ password_confirmation: ["passwords_differ"] });
    const common = await errors({ code: wrongCode(code), ...both("Password123") });
    expect(common["validation_errors"]).toEqual({ password: ["password_common"] });
    const short = await errors({ code: wrongCode(code), password: "short", passwordConfirmation: "other" });
    expect(short["validation_errors"]).toEqual({
      password: ["password_length"],
      password_confirmation: ["passwords_differ"],
    });
    const all = await errors({ code: wrongCode(code), password: "Password123", passwordConfirmation: "" });
    expect(all["validation_errors"]).toEqual({
      password: ["password_common"],
      password_confirmation: ["required"],
    });
  }

  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(true);
});

test("reveals that a password contains the user id only when the code is correct", async () => {
  await service.member("ownname", { at: null, password: OLD });
  const email = "ownname@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);
  const named = both("my-OwnName-77");

  expect(await service.call(resetPassword, { email, code: wrongCode(code), ...named })).toBe(false);
  const { body } = await expectError(service.call(resetPassword, { email, code, ...named }), "invalid_input");

  expect(body["validation_errors"]).toEqual({ password: ["password_contains_user_id"] });
  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(true);
});

test("checks only five codes when two hundred arrive at the same time in any step", async () => {
  const service = await serviceForTest(smtp);
  await service.member("guessed", { at: null, password: OLD });
  const email = "guessed@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);

  const guesses = Array.from({ length: 200 }, (_, i) => wrongCode(code, i + 1));
  const responses = await Promise.all(
    guesses.map((guess, i) =>
      i % 2 === 0
        ? service.call(checkResetCode, { email, code: guess })
        : service.call(resetPassword, { email, code: guess, ...both(NEW) }),
    ),
  );

  expect(responses).toEqual(guesses.map(() => false));
  const round = await service.db.selectFrom("codes").select("network_misses").executeTakeFirstOrThrow();
  expect(round.network_misses).toBe(CODE_MISSES);
  expect(await service.call(checkResetCode, { email, code })).toBe(false);
  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(false);
  await service.call(logIn, { user_id: "guessed", password: OLD });
});

test("accepts a code for ten minutes, and only the code of the latest email", async () => {
  const service = await serviceForTest(smtp);
  await service.member("late", { at: null, password: OLD });
  const email = "late@example.com";
  const first = await requestResetCodeFor(service, mailbox, email);

  service.clock.advance(10 * 60_000);
  expect(await service.call(resetPassword, { email, code: first, ...both(NEW) })).toBe(false);
  const second = await requestResetCodeFor(service, mailbox, email, 2);
  expect(await service.call(resetPassword, { email, code: second, ...both(NEW) })).toBe(true);
});

test("rejects a sign-up code for a reset and a reset code for sign-up", async () => {
  await service.member("purpose", { at: null, password: OLD });
  const signUpCode = await requestSignUpCodeFor(service, mailbox, "new@example.com");
  const resetCode = await requestResetCodeFor(service, mailbox, "purpose@example.com");

  expect(await service.call(checkResetCode, { email: "new@example.com", code: signUpCode })).toBe(false);
  expect(await service.call(checkSignUpCode, { email: "purpose@example.com", code: resetCode })).toBe(false);
  expect(
    await service.call(resetPassword, { email: "new@example.com", code: signUpCode, ...both(NEW) }),
  ).toBe(false);
});

test("returns the same response, sends an explanation and accepts no code when the address has no account", async () => {
  const email = "nobody@example.com";

  expect(await service.call(requestResetCode, { email })).toEqual({});
  const sentEmail = await mailbox.waitForEmail(email);

  expect(sentEmail.code).toBeNull();
  expect(sentEmail.text).toContain("There is no account with it.");
  const guesses = Array.from({ length: CODE_MISSES + 1 }, (_, i) => wrongCode("12345678", i));
  for (const code of guesses) expect(await service.call(checkResetCode, { email, code })).toBe(false);
  const round = await service.db
    .selectFrom("codes")
    .select(["network_misses", "purpose"])
    .executeTakeFirstOrThrow();
  expect(round).toEqual({ network_misses: CODE_MISSES, purpose: "reset_password" });
});

test("sets a password when the member had none", async () => {
  await service.member("passwordless", { at: null });
  const email = "passwordless@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);

  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(true);

  await service.call(logIn, { user_id: "passwordless", password: NEW });
});

test("sets a password when the member is suspended, who then reads the case only", async () => {
  const member = await service.member("suspended", { at: null, password: OLD });
  await suspendMember(service.ctx, member.memberId);
  const email = "suspended@example.com";

  const code = await requestResetCodeFor(service, mailbox, email);
  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(true);

  expect((await service.call(logIn, { user_id: "suspended", password: NEW })).scope).toBe("case");
  expect((await openSession(service.ctx, member.memberId)).scope).toBe("case");
});

test("sets nothing when the account was deleted in between", async () => {
  const member = await service.member("deleted", { at: null, password: OLD });
  const email = "deleted@example.com";
  const code = await requestResetCodeFor(service, mailbox, email);
  await deleteMember(service.ctx, member.memberId);

  expect(await service.call(resetPassword, { email, code, ...both(NEW) })).toBe(false);
});

test("accepts disposable addresses for a reset but not for sign-up, with or without an account", async () => {
  const service = await serviceForTest(smtp);
  await service.member("thrown", { at: null, password: OLD, email: "thrown@mailinator.com" });

  for (const email of ["thrown@mailinator.com", "other@MAILINATOR.com", "x@deep.sub.mailinator.com"]) {
    expect(await service.call(requestSignUpCode, { email, ...agreed }, "zh-hans")).toEqual({
      error_message: "这是一次性邮箱。请使用您长期使用的邮箱。",
    });
  }
  expect(await storedEmailJobs(service)).toEqual([]);
  const code = await requestResetCodeFor(service, mailbox, "thrown@mailinator.com");
  expect(await service.call(resetPassword, { email: "thrown@mailinator.com", code, ...both(NEW) })).toBe(
    true,
  );
  for (const email of ["a@gmail.com", "b@docomo.ne.jp", "c@mailinator.com.example.org", "d@qq.com"]) {
    expect(await service.call(requestSignUpCode, { email, ...agreed })).toEqual({});
  }
});
