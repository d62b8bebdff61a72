import { afterAll, expect, test } from "vitest";
import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { chooseEmail, getEmail, requestEmailCode, undoEmail } from "@alcove/contract/mailboxes";
import { createRecoveryCodes } from "@alcove/contract/passkeys";
import { requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS } from "../platform/clock.ts";
import { linkIn, logInOn, memberOnDevice, moveTo, PASSWORD } from "../testing/email-change.ts";
import { rounds } from "../testing/rounds.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { requestResetCodeFor } from "../testing/sign-up.ts";
import { type CallError, expectError, testService } from "../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const config = { smtpUrl: mailbox.url };
const NEW = { password: "louder-mornings-8", passwordConfirmation: "louder-mornings-8" };

test("stops the account until a login on a known device has chosen the address", async () => {
  const service = await serviceForTest({ config });
  const { member, device } = await memberOnDevice(service, "stops");
  const before = "stops@example.com";
  const after = "stops-new@example.com";
  const early = await requestResetCodeFor(service, mailbox, before);
  await moveTo(mailbox, member, after);
  const token = await linkIn(mailbox, before, 2);

  await service.call(undoEmail, { token });
  await service.call(undoEmail, { token });

  await expectError(member.call(getOwnUser, {}), "login_required");
  const login = { user_id: "stops", password: PASSWORD };
  const { status } = await expectError(service.call(logIn, login), "logins_stopped");
  expect(status).toBe(401);
  await expectError(service.call(logIn, { ...login, password: "not this one" }), "wrong_credentials");
  expect(await service.call(resetPassword, { email: before, code: early, ...NEW })).toBe(false);
  await service.call(requestResetCode, { email: before });
  const closed = await mailbox.waitForEmail(before, 3);
  expect([closed.code, closed.text]).toEqual([
    null,
    expect.stringContaining("no email can set its password"),
  ]);
  await service.call(requestResetCode, { email: after });
  expect((await mailbox.waitForEmail(after, 2)).text).toContain("There is no account with it");

  const again = await logInOn(service, member, device);
  expect((await again.call(getOwnUser, {})).user.email_choice_due).toBe(true);
  expect((await again.call(getEmail, {})).choice).toEqual({ before, after });
  await expectError(again.call(requestEmailCode, { email: "third@example.com" }), "conflict");
  expect((await again.call(chooseEmail, { address: "after" })).user).toMatchObject({
    email: after,
    email_choice_due: false,
  });

  await expectError(service.call(undoEmail, { token }), "link_expired");
  await service.call(logIn, login);
  await expectError(again.call(chooseEmail, { address: "before" }), "not_found");
});

test("returns to the address before the first change after a second one", async () => {
  const service = await serviceForTest({ config });
  const { member, device } = await memberOnDevice(service, "first");
  const [zero, one, two] = ["first@example.com", "first-1@example.com", "first-2@example.com"] as const;
  await moveTo(mailbox, member, one);
  await moveTo(mailbox, member, two);
  const [toZero, toOne] = [await linkIn(mailbox, zero), await linkIn(mailbox, one, 2)];

  await service.call(undoEmail, { token: toOne });
  expect((await (await logInOn(service, member, device)).call(getEmail, {})).choice).toEqual({
    before: one,
    after: two,
  });
  await service.call(undoEmail, { token: toZero });
  const again = await logInOn(service, member, device);
  expect((await again.call(getEmail, {})).choice).toEqual({ before: zero, after: two });
  await service.call(undoEmail, { token: toOne });
  expect((await again.call(getEmail, {})).choice).toEqual({ before: zero, after: two });

  await again.call(chooseEmail, { address: "before" });
  expect((await again.call(getEmail, {})).email).toBe(zero);
  const index = await service.db.selectFrom("email_index").select("is_held").execute();
  expect(index).toEqual([{ is_held: false }]);
  // A stopped change counts.
  await expectError(again.call(requestEmailCode, { email: "first-3@example.com" }), "too_many_requests");
});

test("accepts a link for seven days", async () => {
  const service = await serviceForTest({ config });
  service.clock.set("2027-03-01T12:00:00Z");
  const { member, device } = await memberOnDevice(service, "late");
  await moveTo(mailbox, member, "late-new@example.com");
  const token = await linkIn(mailbox, "late@example.com");
  await expectError(service.call(undoEmail, { token: token.slice(0, -2) }), "link_expired");

  service.clock.advance(7 * DAY_MS + 1);
  await expectError(service.call(undoEmail, { token }), "link_expired");

  expect((await (await logInOn(service, member, device)).call(getEmail, {})).choice).toBeNull();
});

test("opens on an unknown device with a recovery code, alone or beside the password, each code once", async () => {
  const service = await serviceForTest({ config });
  const { member } = await memberOnDevice(service, "by-code");
  const { codes } = await member.call(createRecoveryCodes, {});
  await moveTo(mailbox, member, "by-code-new@example.com");
  await service.call(undoEmail, { token: await linkIn(mailbox, "by-code@example.com") });
  const login = { user_id: "by-code", password: PASSWORD };

  await expectError(service.call(logIn, login), "logins_stopped");
  await service.call(logIn, { ...login, recovery_code: codes[0]! });
  await expectError(service.call(logIn, { ...login, recovery_code: codes[0]! }), "wrong_recovery_code");
  const { access } = await service.call(logIn, { user_id: "by-code", recovery_code: codes[1]! });

  const { user } = await service.memberAt({ ...member, access }).call(chooseEmail, { address: "before" });
  expect(user.email).toBe("by-code@example.com");
});

test("leaves no session of an unknown device when a stop and logins happen at the same time", async () => {
  const service = await serviceForTest({ config });
  const second = await testService({ beside: service, config });
  for (let round = 0; round < rounds(8); round++) {
    const name = `during-${round}`;
    const { member } = await memberOnDevice(service, name);
    await moveTo(mailbox, member, `${name}-new@example.com`);
    const token = await linkIn(mailbox, `${name}@example.com`);
    const login = { user_id: name, password: PASSWORD };

    const outcomes = await Promise.allSettled([
      ...[service, second, service].map((one) => one.call(logIn, login)),
      second.call(undoEmail, { token }),
    ]);

    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect((outcome.reason as CallError).code).toBe("logins_stopped");
    const open = service.db
      .selectFrom("sessions")
      .select("session_id")
      .where("member_no", "=", member.memberId)
      .where("ended_at", "is", null);
    expect(await open.execute()).toEqual([]);
  }
});
