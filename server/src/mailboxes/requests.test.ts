import { afterAll, expect, test } from "vitest";
import { getOwnUser, logIn } from "@alcove/contract/accounts";
import {
  decideMailboxRequest,
  getMailboxRequests,
  openMailboxRequest,
} from "@alcove/contract/console-mailboxes";
import { approveRequest, getRequests } from "@alcove/contract/console-requests";
import { getLikes, likeUser } from "@alcove/contract/discovery";
import { getLooks } from "@alcove/contract/looks";
import { askNewEmail, confirmNewEmail, getEmail, stopNewEmail, undoEmail } from "@alcove/contract/mailboxes";
import { getLastDms, sendDm } from "@alcove/contract/messaging";
import { createRecoveryCodes } from "@alcove/contract/passkeys";
import { resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS } from "../platform/clock.ts";
import { operatorOf } from "../testing/console.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { linkIn, memberOnDevice, PASSWORD } from "../testing/email-change.ts";
import { fetchChallenge, solve } from "../testing/bot-check.ts";
import { storedEmailJobs } from "../testing/jobs.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { passkeyOf, responseOf } from "../testing/member-passkeys.ts";
import { createPasskey } from "../testing/passkey.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { requestResetCodeFor } from "../testing/sign-up.ts";
import { recordStatements } from "../testing/statements.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { followRequests } from "./requests.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const config = { smtpUrl: mailbox.url, consolePort: 0 };
const START = "2027-03-01T12:00:00Z";
const TEXT = "I joined in spring and pay by card.";

/** Waits for the email to the new address. */
async function ask(service: TestService, user_id: string, email: string, more: object = {}) {
  const nth = mailbox.emails(email).length + 1;
  expect(await service.call(askNewEmail, { user_id, email, text: TEXT, ...more })).toEqual({});
  return mailbox.waitForEmail(email, nth);
}

const requestOf = async (service: TestService, member: TestMember) =>
  (await (await logInAgain(service, member)).call(getEmail, {})).request;

async function passDays(service: TestService, days: number): Promise<void> {
  for (let day = 0; day < days; day += 10) {
    service.clock.advance(10 * DAY_MS);
    await followRequests(service.ctx);
  }
}

const setEmail = (service: TestService, ...args: string[]) =>
  operator(environmentOf(service), "members", "set-email", ...args);

test("responds byte for byte alike and runs the same statements for unknown accounts", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true, trustProxy: true } });
  const { member } = await memberOnDevice(service, "lost-known");
  const { codes } = await member.call(createRecoveryCodes, {});
  const passkey = await passkeyOf(service, member, { password: PASSWORD });
  const response = JSON.stringify(await responseOf(service, passkey));
  await service.ctx.jobs.stop();
  await service.ctx.encryption.keys.daily();
  const ways: Record<string, string>[] = [
    { text: TEXT, order: "2027-000001" },
    { recovery_code: codes[0]! },
    { response },
  ];
  const ask = async (user_id: string, way: Record<string, string>, network: string) => {
    const body = new URLSearchParams({ user_id, email: `${user_id}@example.org`, ...way });
    const headers = { "x-forwarded-for": network };
    let seen = "";
    const statements = await recordStatements(async () => {
      const sent = await service.fetch(`/en${askNewEmail.path}`, { method: "POST", body, headers });
      seen = [sent.status, ...sent.headers.keys(), await sent.text()].join(" ");
    });
    return { seen, statements };
  };

  for (const [i, way] of ways.entries()) {
    await ask("lost-warm-up", way, `192.0.2.${i}`);
    const known = await ask("lost-known", way, `192.0.2.${i}`);
    expect(known.seen).toMatch(/^200 .* {}$/);
    expect(await ask("lost-nobody", way, `192.0.2.${i}`)).toEqual(known);
  }
  expect(await storedEmailJobs(service)).toHaveLength(9);
});

test("needs a bot check for a lost mailbox, and takes none of another form", async () => {
  const service = await serviceForTest({ config: { ...config, botCheck: "altcha" } });
  await service.member("lost-checked", { at: null });
  const email = "lost-checked-new@example.com";
  const form = { user_id: "lost-checked", email, text: TEXT };
  const solved = async (action: "LostMailbox" | "SignUp") => solve(await fetchChallenge(service, { action }));
  const refuse = async (more: object) => {
    const refused = await expectError(service.call(askNewEmail, { ...form, ...more }), "invalid_input");
    expect(refused.body["validation_errors"]).toEqual({ recaptcha_token: ["bot_check_failed"] });
  };

  await refuse({});
  await refuse({ recaptchaAction: "LostMailbox", recaptchaToken: await solved("SignUp") });
  await refuse({ recaptchaAction: "SignUp", recaptchaToken: await solved("SignUp") });
  const recaptchaToken = await solved("LostMailbox");
  await service.call(askNewEmail, { ...form, recaptchaAction: "LostMailbox", recaptchaToken });
  await refuse({ recaptchaAction: "LostMailbox", recaptchaToken });

  await mailbox.waitForEmail(email);
  expect(mailbox.emails(email)).toHaveLength(1);
});

test("sends the same email to the new address of known and unknown accounts", async () => {
  const service = await serviceForTest({ config });
  await service.member("lost-same", { at: null });

  const known = await ask(service, "lost-same", "lost-same-new@example.com");
  const unknown = await ask(service, "lost-none", "lost-none-new@example.com");

  expect([unknown.subject, unknown.text]).toEqual([known.subject, known.text]);
});

test("notifies the old address three times, and gives nothing once a known device refuses", async () => {
  const service = await serviceForTest({ config });
  service.clock.set(START);
  const { member } = await memberOnDevice(service, "says-no");
  await ask(service, "says-no", "says-no-thief@example.com", { order: "2027-000001" });
  expect((await member.call(getOwnUser, {})).user.new_email_asked).toBe(true);
  expect(await requestOf(service, member)).toEqual({ asked_on: "2027-03-01", due_on: "2027-03-31" });
  expect(placesWith(encodingsOf(TEXT), await dumpTables(service.databaseUrl))).toEqual([]);

  await passDays(service, 20);
  const told = await mailbox.waitForEmail("says-no@example.com", 3);
  expect(told.subject).toBe("Alcove: your account");
  expect(mailbox.emails("says-no@example.com")).toHaveLength(3);
  await (await logInAgain(service, member)).call(stopNewEmail, {});
  await passDays(service, 20);

  expect(await setEmail(service, "says-no", "says-no-thief@example.com")).toMatchObject({ code: 1 });
  expect((await (await logInAgain(service, member)).call(getOwnUser, {})).user).toMatchObject({
    email: "says-no@example.com",
    new_email_asked: false,
  });
  await expectError((await logInAgain(service, member)).call(stopNewEmail, {}), "not_found");
});

test("ends by the link in the email to the old address", async () => {
  const service = await serviceForTest({ config });
  const { member } = await memberOnDevice(service, "stops-by-email");
  await ask(service, "stops-by-email", "stops-by-email-2@example.com");
  const token = await linkIn(mailbox, "stops-by-email@example.com");

  await service.call(undoEmail, { token });
  await service.call(undoEmail, { token });

  expect((await member.call(getEmail, {})).request).toBeNull();
  await service.call(logIn, { user_id: "stops-by-email", password: PASSWORD });
});

test("opens the account with its paid time and without matches, conversations and likes after 30 days", async () => {
  const service = await serviceForTest({ config });
  // The command line has the time of the machine.
  service.clock.advance(-30 * DAY_MS);
  const lost = await service.member("lost", { sex: "female", paid: true, password: PASSWORD });
  const taro = await service.member("lost-taro", { sex: "male", paid: true });
  await service.member("lost-jiro", { sex: "male" });
  const goro = await service.member("lost-goro", { sex: "male" });
  await match(lost, taro);
  await lost.call(sendDm, { receiverId: "lost-taro", description: "Good evening" });
  await lost.call(likeUser, { likedId: "lost-jiro" });
  await goro.call(likeUser, { likedId: "lost" });
  const email = "lost-new@example.com";
  await ask(service, "lost", email, { order: "2027-000001" });
  expect(await setEmail(service, "lost", email)).toMatchObject({ code: 1 });
  await passDays(service, 30);
  expect(await setEmail(service, "lost", "other@example.com")).toMatchObject({ code: 1 });

  expect(await setEmail(service, "lost", email)).toMatchObject({ code: 0 });

  await mailbox.waitForEmail(email, 2);
  await expectError(service.call(logIn, { user_id: "lost", password: PASSWORD }), "wrong_credentials");
  const code = await requestResetCodeFor(service, mailbox, email, 3);
  const both = { password: "louder-mornings-8", passwordConfirmation: "louder-mornings-8" };
  expect(await service.call(resetPassword, { email, code, ...both })).toBe(true);
  const again = await logInAgain(service, lost);
  expect((await again.call(getOwnUser, {})).user).toMatchObject({ status: "paid", email, username: "lost" });
  const { matches, dms, ended } = await again.call(getLastDms, {});
  expect([matches, dms, ended]).toEqual([[], [], []]);
  expect((await again.call(getLikes, {})).likes).toEqual([]);
  const other = await (await logInAgain(service, taro)).call(getLastDms, {});
  expect([other.matches, other.dms]).toEqual([[], []]);
  await eventually(async () =>
    expect(await service.db.selectFrom("verdicts").selectAll().execute()).toEqual([]),
  );
  const { looks } = await again.call(getLooks, {});
  expect(looks.map(({ kind }) => kind)).toEqual(["change", "change", "change"]);
});

test("sets the address at once with a recovery code, after a button in the email to it", async () => {
  const service = await serviceForTest({ config });
  const { member } = await memberOnDevice(service, "has-code");
  const { codes } = await member.call(createRecoveryCodes, {});
  const email = "has-code-new@example.com";
  const by = (recovery_code: string) => ({ text: null, recovery_code });
  const wrong = await ask(service, "has-code", email, by("AAAAAAAAAAAA"));
  const unknown = await ask(service, "has-no-code", "has-no-code@example.com", by(codes[0]!));
  expect([wrong.subject, wrong.text]).toEqual([unknown.subject, unknown.text]);

  await ask(service, "has-code", email, by(codes[0]!));
  const token = await linkIn(mailbox, email, 2);
  expect((await member.call(getEmail, {})).email).toBe("has-code@example.com");
  await service.call(confirmNewEmail, { token });

  expect((await member.call(getEmail, {})).email).toBe(email);
  await expectError(service.call(confirmNewEmail, { token }), "link_expired");
  expect((await ask(service, "has-code", email, by(codes[0]!))).text).toContain("the proof was not right");
  await service.call(undoEmail, { token: await linkIn(mailbox, "has-code@example.com") });
});

test("sets the address at once with a passkey of the account, once, and with no other", async () => {
  const service = await serviceForTest({ config });
  const { member } = await memberOnDevice(service, "has-key");
  const { member: stranger } = await memberOnDevice(service, "has-other-key");
  const passkey = await passkeyOf(service, member, { password: PASSWORD });
  const foreign = await passkeyOf(service, stranger, { password: PASSWORD });
  const email = "has-key-new@example.com";
  const by = async (response: object) => ask(service, "has-key", email, { text: null, response });
  const wrong = "the proof was not right";

  for (const other of [foreign, createPasskey(), passkey.copy({ isVerified: false })])
    expect((await by(await responseOf(service, other))).text).toContain(wrong);
  const response = await responseOf(service, passkey);
  await by(response);
  const token = await linkIn(mailbox, email, 4);
  expect((await by(response)).text).toContain(wrong);
  await service.call(confirmNewEmail, { token });

  expect((await member.call(getEmail, {})).email).toBe(email);
  await mailbox.waitForEmail("has-key@example.com");
});

test("keeps one request open and two in a year", async () => {
  const service = await serviceForTest({ config });
  service.clock.set(START);
  const { member } = await memberOnDevice(service, "twice-lost");
  const stored = () => service.db.selectFrom("mailbox_requests").select("state").execute();
  await ask(service, "twice-lost", "twice-lost-1@example.com");
  await ask(service, "twice-lost", "twice-lost-2@example.com");
  expect(await stored()).toEqual([{ state: "open" }]);
  await member.call(stopNewEmail, {});
  await ask(service, "twice-lost", "twice-lost-3@example.com");
  await (await logInAgain(service, member)).call(stopNewEmail, {});

  await ask(service, "twice-lost", "twice-lost-4@example.com");
  expect(await stored()).toEqual([{ state: "stopped" }, { state: "stopped" }]);

  service.clock.advance(366 * DAY_MS);
  await followRequests(service.ctx);
  await ask(service, "twice-lost", "twice-lost-5@example.com");
  expect(await stored()).toEqual([{ state: "open" }]);
});

test("shows proofs to an operator, and needs a second one to set the address", async () => {
  const service = await serviceForTest({ config });
  service.clock.set(START);
  await service.member("lost-console", { at: null });
  const email = "lost-console-new@example.com";
  await ask(service, "lost-console", email, { order: "2027-000001" });
  await passDays(service, 30);
  const sato = await operatorOf(service, "Sato");
  const suzuki = await operatorOf(service, "Suzuki");

  const [waiting] = (await sato.call(getMailboxRequests, {})).requests;
  expect(waiting).toMatchObject({ told: 3, is_due: true, due_on: "2027-03-31" });
  const { id } = waiting!;
  const proofs = { user_id: "lost-console", email, order: "2027-000001", text: TEXT };
  expect((await sato.call(openMailboxRequest, { id })).request).toMatchObject(proofs);
  const decision = { id, outcome: "set", reason: "Receipt and date fit." } as const;
  expect(await sato.call(decideMailboxRequest, decision)).toEqual({ outcome: "waiting" });
  const [asked] = (await suzuki.call(getRequests, {})).requests;
  expect(asked).toMatchObject({ action: "members set-email", details: email, user_id: "lost-console" });
  await suzuki.call(approveRequest, { id: asked!.id, reason: "Agreed." });

  expect((await mailbox.waitForEmail(email, 2)).text).toContain("belongs to your account now");
  expect((await sato.call(getMailboxRequests, {})).requests).toEqual([]);
  await expectError(sato.call(decideMailboxRequest, decision), "not_found");
});

test("ends a request that the operator rejects", async () => {
  const service = await serviceForTest({ config });
  const { member } = await memberOnDevice(service, "lost-rejected");
  await ask(service, "lost-rejected", "lost-rejected-2@example.com");

  const rejected = await operator(environmentOf(service), "members", "reject-email", "lost-rejected");

  expect(rejected.code).toBe(0);
  expect((await member.call(getEmail, {})).request).toBeNull();
});
