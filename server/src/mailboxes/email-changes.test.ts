import { afterAll, expect, test } from "vitest";
import { deleteAccount, logInSocially, register } from "@alcove/contract/accounts";
import { changeEmail, getEmail, requestEmailCode } from "@alcove/contract/mailboxes";
import { requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { addNeverSee } from "@alcove/contract/safety";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS } from "../platform/clock.ts";
import { logInOn, memberOnDevice, moveTo, PASSWORD, requestNewAddress } from "../testing/email-change.ts";
import { fakeGoogleForFile, googleForm, HANAKO } from "../testing/google.ts";
import { storedEmailJobs } from "../testing/jobs.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { rounds } from "../testing/rounds.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { requestResetCodeFor, wrongCode } from "../testing/sign-up.ts";
import { recordStatements } from "../testing/statements.ts";
import { eventually, expectError, type TestMember, testService } from "../testing/test-service.ts";
import { sweepChanges } from "./stops.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const { google, config: withGoogle } = await fakeGoogleForFile();
const start = () => serviceForTest({ config: { ...withGoogle, smtpUrl: mailbox.url } });

test("moves the account to an address that got a code, and notifies the old one without naming the new", async () => {
  const service = await start();
  const { member } = await memberOnDevice(service, "moves");
  const email = "moves-new@example.com";
  const code = await requestNewAddress(mailbox, member, email);

  const { user } = await member.call(changeEmail, { email, code, password: PASSWORD });

  expect(user.email).toBe(email);
  expect((await member.call(getEmail, {})).email).toBe(email);
  const notice = await mailbox.waitForEmail("moves@example.com");
  expect(notice.subject).toBe("Alcove: your account");
  expect(notice.text).toMatch(/^http\S+\/en\/email-undo#\S+$/m);
  expect(notice.text + notice.html).not.toContain(email);
  const reset = await requestResetCodeFor(service, mailbox, email, 2);
  const both = { password: "louder-mornings-8", passwordConfirmation: "louder-mornings-8" };
  expect(await service.call(resetPassword, { email, code: reset, ...both })).toBe(true);
  await service.call(requestResetCode, { email: "moves@example.com" });
  expect((await mailbox.waitForEmail("moves@example.com", 2)).text).toContain("There is no account with it");
});

test("rejects a wrong code, a wrong password, the own address and a throwaway one, and uses no code up", async () => {
  const service = await start();
  const { member } = await memberOnDevice(service, "rejects");
  const email = "rejects-new@example.com";
  await expectError(member.call(requestEmailCode, { email: "rejects@EXAMPLE.com" }), "invalid_input");
  await expectError(member.call(requestEmailCode, { email: "a@mailinator.com" }), "invalid_input");
  const code = await requestNewAddress(mailbox, member, email);

  const wrong = { email, code: wrongCode(code), password: PASSWORD };
  const { body } = await expectError(member.call(changeEmail, wrong), "invalid_input");
  expect(body["validation_errors"]).toEqual({ code: ["code_wrong"] });
  await expectError(member.call(changeEmail, { email, code, password: "not this one" }), "not_confirmed");
  await expectError(member.call(changeEmail, { email, code }), "not_confirmed");

  await member.call(changeEmail, { email, code, password: PASSWORD });
});

test("accepts a code in the account that requested it only", async () => {
  const service = await start();
  const { member } = await memberOnDevice(service, "asks-first");
  const { member: other } = await memberOnDevice(service, "reads-along");
  const email = "asks-first-new@example.com";
  const code = await requestNewAddress(mailbox, member, email);

  const stolen = other.call(changeEmail, { email, code, password: PASSWORD });
  expect((await expectError(stolen, "invalid_input")).body["validation_errors"]).toEqual({
    code: ["code_wrong"],
  });
  await member.call(changeEmail, { email, code, password: PASSWORD });
});

test("responds byte for byte alike and runs the same statements for an address with an account, and a held one", async () => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url, hasRateLimits: true } });
  const { member } = await memberOnDevice(service, "asks");
  const { member: other } = await memberOnDevice(service, "known-moving");
  await moveTo(mailbox, other, "known-moving-new@example.com");
  await service.ctx.jobs.stop();
  await service.ctx.encryption.keys.daily();
  const jobs = (await storedEmailJobs(service)).length;
  const ask = async (email: string) => {
    let seen = "";
    const statements = await recordStatements(async () => {
      const body = new URLSearchParams({ email });
      const sent = await member.fetch(`/en${requestEmailCode.path}`, { method: "POST", body });
      seen = [sent.status, ...sent.headers.keys(), await sent.text()].join(" ");
    });
    return { seen, statements };
  };
  await ask("warm-up@example.com");

  const unknown = await ask("nobody-at-all@example.com");

  expect(unknown.seen).toMatch(/^200 .* {}$/);
  for (const email of ["known-moving-new@example.com", "known-moving@example.com"])
    expect(await ask(email)).toEqual(unknown);
  expect(await storedEmailJobs(service)).toHaveLength(jobs + 4);
});

test("notifies the owner of an address that it has an account", async () => {
  const service = await start();
  const { member } = await memberOnDevice(service, "asks-taken");
  await service.member("known-owner", { at: null });

  await member.call(requestEmailCode, { email: "known-owner@example.com" });

  const email = await mailbox.waitForEmail("known-owner@example.com");
  expect([email.code, email.subject]).toEqual([null, "Alcove: your request"]);
  expect(email.text).toContain("It already has an account.");
  const taken = { email: "known-owner@example.com", code: "00000000", password: PASSWORD };
  await expectError(member.call(changeEmail, taken), "invalid_input");
});

test("allows two changes in 30 days, and shows when the next one is possible", async () => {
  const service = await start();
  service.clock.set("2027-03-01T12:00:00Z");
  const { member } = await memberOnDevice(service, "twice");
  for (const email of ["twice-1@example.com", "twice-2@example.com"]) await moveTo(mailbox, member, email);

  const third = { email: "twice-3@example.com" };
  const { status } = await expectError(member.call(requestEmailCode, third), "too_many_requests");
  expect(status).toBe(429);
  expect((await member.call(getEmail, {})).next_change_at).toBe("2027-03-31T00:00:00.000Z");

  service.clock.set("2027-03-31T00:00:01Z");
  await sweepChanges(service.ctx);
  await moveTo(mailbox, await logInAgain(service, member), third.email);
});

test("gives an address to one of two members who prove it at once, and keeps one address of a member", async () => {
  const service = await start();
  const second = await testService({ beside: service, config: { smtpUrl: mailbox.url } });
  for (let round = 0; round < rounds(8); round++) {
    const names = [`race-a${round}`, `race-b${round}`];
    const email = `race-${round}@example.com`;
    const all = await Promise.all(names.map((name) => memberOnDevice(service, name)));
    const codes: string[] = [];
    for (const { member } of all) codes.push(await requestNewAddress(mailbox, member, email));

    const outcomes = await Promise.allSettled(
      all.map(({ member }, i) =>
        service
          .memberAt(member, [service, second][i]!.url)
          .call(changeEmail, { email, code: codes[i]!, password: PASSWORD }),
      ),
    );

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const owned = await Promise.all(all.map(async ({ member }) => (await member.call(getEmail, {})).email));
    expect(owned.filter((one) => one === email)).toHaveLength(1);
    expect(owned.every((one) => one !== "")).toBe(true);
  }
  const current = service.db.selectFrom("email_index").select("member_no").where("is_held", "=", false);
  const members = (await current.execute()).map(({ member_no }) => member_no);
  expect(new Set(members).size).toBe(members.length);
});

test("ends with one address when a member proves two at once", async () => {
  const service = await start();
  const { member } = await memberOnDevice(service, "two-at-once");
  const emails = ["two-x@example.com", "two-y@example.com"];
  const codes: string[] = [];
  for (const email of emails) codes.push(await requestNewAddress(mailbox, member, email));

  await Promise.all(
    emails.map((email, i) => member.call(changeEmail, { email, code: codes[i]!, password: PASSWORD })),
  );

  const { email } = await member.call(getEmail, {});
  expect(emails).toContain(email);
  const index = await service.db.selectFrom("email_index").select("is_held").execute();
  expect(index.filter(({ is_held }) => is_held)).toHaveLength(2);
  expect(index).toHaveLength(3);
});

test("opens no account to the Google account of the old or of the new address, and frees the old one later", async () => {
  const service = await start();
  const provider = "google" as const;
  const old = async () => google.issueToken(HANAKO.email);
  const credentials = { userId: "by-google", password: PASSWORD, passwordConfirmation: PASSWORD };
  await service.call(register, googleForm(await old(), credentials));
  const { access, refresh } = await service.call(logInSocially, { provider, accessToken: await old() });
  const { member_no: memberId } = await service.db
    .selectFrom("members")
    .select("member_no")
    .executeTakeFirstOrThrow();
  const member = service.memberAt({ user_id: "by-google", memberId, access, refresh } as TestMember);
  await moveTo(mailbox, member, "taro@example.com"); // also an address of Google

  for (const email of [HANAKO.email, "taro@example.com"]) {
    const accessToken = await google.issueToken(email);
    await expectError(service.call(logInSocially, { provider, accessToken }), "social_account_not_found");
    const form = googleForm(accessToken, { userId: "second" });
    const { body } = await expectError(service.call(register, form), "invalid_input");
    expect(body["validation_errors"]).toEqual({ email: ["account_exists"] });
  }
  expect((await member.call(getEmail, {})).email).toBe("taro@example.com");

  service.clock.advance(8 * DAY_MS);
  await sweepChanges(service.ctx);
  service.clock.set(new Date()); // the tokens of Google expire
  const { user } = await service.call(register, googleForm(await old(), { userId: "second" }));
  expect(user.email).toBe(HANAKO.email);
  const { user: found } = await service.call(logInSocially, { provider, accessToken: await old() });
  expect(found?.user_id).toBe("second");
});

test("hides the change from the old address on a device that is known for 30 days, and frees the address", async () => {
  const service = await start();
  service.clock.set("2027-03-01T12:00:00Z");
  const { member, device } = await memberOnDevice(service, "hides");
  const email = "hides-new@example.com";
  const code = await requestNewAddress(mailbox, member, email);
  const form = { email, code, password: PASSWORD, others_read: true };
  const { body } = await expectError(member.call(changeEmail, form), "invalid_input");
  expect(body["validation_errors"]).toEqual({ others_read: ["device_too_new"] });

  service.clock.advance(31 * DAY_MS);
  const later = await logInOn(service, member, device);
  expect((await later.call(getEmail, {})).known_device).toBe(true);
  await moveTo(mailbox, later, email, { others_read: true });

  expect(mailbox.emails("hides@example.com")).toEqual([]);
  const index = await service.db.selectFrom("email_index").select("is_held").execute();
  expect(index).toEqual([{ is_held: false }]);
});

test("keeps the old address from others for seven days, also after the deletion of the account", async () => {
  const service = await start();
  service.clock.set("2027-03-01T12:00:00Z");
  const { member } = await memberOnDevice(service, "held");
  const { member: other } = await memberOnDevice(service, "wants-held");
  await moveTo(mailbox, member, "held-new@example.com");
  const email = "held@example.com";

  await mailbox.waitForEmail(email); // of the change
  await other.call(requestEmailCode, { email });
  expect((await mailbox.waitForEmail(email, 2)).code).toBeNull();
  service.clock.set("2027-03-08T13:00:00Z");
  await sweepChanges(service.ctx);
  await moveTo(mailbox, await logInAgain(service, other), email);

  await moveTo(mailbox, await logInAgain(service, member), "held-newer@example.com");
  await (await logInAgain(service, member)).call(deleteAccount, {});
  const left = await service.db.selectFrom("email_index").select("member_no").execute();
  expect(left.every(({ member_no }) => member_no === other.memberId)).toBe(true);
  for (const table of ["email_changes", "mailboxes"] as const)
    expect(JSON.stringify(await service.db.selectFrom(table).selectAll().execute())).not.toContain(
      `"member_no":${member.memberId}`,
    );
});

test("hides the member from those who named the new address before", async () => {
  const service = await start();
  const { member } = await memberOnDevice(service, "was-named");
  const owner = await service.member("names-address", { sex: "male" });
  await owner.call(addNeverSee, { who: "was-named-new@example.com" });

  await moveTo(mailbox, member, "was-named-new@example.com");

  await eventually(async () => {
    const edges = service.db.selectFrom("block_edges").select(["owner", "other"]).where("dir", "=", "m");
    expect(await edges.execute()).toContainEqual({ owner: member.memberId, other: owner.memberId });
  });
});
