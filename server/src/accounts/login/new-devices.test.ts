import { afterAll, expect, test } from "vitest";
import {
  confirmSession,
  denyDevice,
  endSession,
  getSessions,
  logIn,
  saveSessions,
} from "@alcove/contract/accounts";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS } from "../../platform/clock.ts";
import { fakePushServiceForFile, notify } from "../../testing/pushes.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, expectError, type TestMember, type TestService } from "../../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const { pushes, withPushes, serviceWithPushes, subscribe } = await fakePushServiceForFile();
const config = { ...withPushes.config, smtpUrl: mailbox.url };

const password = "quiet-evenings-7";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile Safari/604.1";

async function logInFrom(
  service: TestService,
  hanako: TestMember,
  device: string | null = null,
): Promise<TestMember & { device: string }> {
  const response = await service.fetch("/en/api/token/", {
    method: "POST",
    headers: { "user-agent": IPHONE },
    body: new URLSearchParams({ user_id: hanako.user_id, password, ...(device && { device }) }),
  });
  const tokens = (await response.json()) as { access: string; refresh: string; device: string };
  return { ...service.memberAt({ ...hanako, ...tokens }), device: tokens.device };
}

const newOnesOf = async (member: TestMember) =>
  (await member.call(getSessions, {})).sessions.filter((session) => session.new);

const tokenIn = (text: string): string => /\/not-me#(\S+)/.exec(text)![1]!;

test("shows a new device on known ones, with a neutral notification and no email", async () => {
  const service = await serviceWithPushes();
  const hanako = await service.member("known-hanako", { at: null, password });
  const device = await subscribe(hanako);
  const socket = await hanako.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  const phone = await logInFrom(service, hanako);

  const [shown, ...more] = await newOnesOf(hanako);
  expect(more).toEqual([]);
  expect(shown).toMatchObject({ device_name: "Safari on iOS", current: false });
  await eventually(() => expect(socket.frames).toEqual([{ device: { id: shown!.id } }]));
  expect(await newOnesOf(phone)).toEqual([]);
  await notify(service);
  const [push] = await eventually(async () => {
    const received = await pushes.received(device.endpoint);
    expect(received).toHaveLength(1);
    return received;
  });
  expect(JSON.parse(push!.text)).toMatchObject({ body: "You have something new." });
  await logInFrom(service, hanako, phone.device);
  expect(await newOnesOf(hanako)).toHaveLength(1);
  expect(await service.db.selectFrom("device_notices").select("emailed_on").execute()).toEqual([]);
});

test("emails when no other device is logged in or wrong passwords came first, once in 30 days", async () => {
  const service = await ownService({ config: { ...config, hasRateLimits: true } });
  service.clock.set("2027-03-04T12:00:00Z");
  const hanako = await service.member("mail-hanako", { at: null, password });
  const to = "mail-hanako@example.com";
  const emails = () => mailbox.emails(to);

  await logInFrom(service, hanako);
  expect(emails()).toEqual([]);
  await expectError(
    service.call(logIn, { user_id: hanako.user_id, password: "not this one" }),
    "wrong_credentials",
  );
  await logInFrom(service, hanako);
  const first = await mailbox.waitForEmail(to);

  expect(first.subject).toBe("Alcove: your account");
  expect(first.text).toContain("2027/03/04 (UTC): Safari on iOS");
  service.clock.advance(29 * DAY_MS);
  await service.call(logIn, { user_id: hanako.user_id, password: "not this one" }).catch(() => undefined);
  await logInFrom(service, hanako);
  service.clock.advance(90 * DAY_MS);
  await logInFrom(service, hanako);
  await eventually(() => expect(emails()).toHaveLength(2));
});

test("ends the login that the email names, and forgets its device, by the token behind # only", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("deny-hanako", { at: null, password });
  await service.db.deleteFrom("sessions").execute();
  await service.db
    .updateTable("members")
    .set({ created_at: new Date("2020-01-01") })
    .execute();
  const thief = await logInFrom(service, hanako);
  const { text } = await mailbox.waitForEmail("deny-hanako@example.com");
  const token = tokenIn(text);

  const again = await logInFrom(service, hanako, thief.device);

  await expectError(service.call(denyDevice, { token: `${token}x` }), "not_found");
  expect((await thief.call(getSessions, {})).sessions).toHaveLength(2);
  await service.call(denyDevice, { token });
  await service.call(denyDevice, { token });

  for (const one of [thief, again]) await expectError(one.call(getSessions, {}), "login_required");
  const { device_digest } = await service.db
    .selectFrom("sessions")
    .select("device_digest")
    .executeTakeFirstOrThrow();
  expect(device_digest).toBeNull();
});

test("lets no new device confirm itself", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("confirm-hanako", { at: null, password });
  const [phone, other] = [await logInFrom(service, hanako), await logInFrom(service, hanako)];
  const [one, two] = await newOnesOf(hanako);

  for (const by of [phone, other])
    for (const { id } of [one!, two!])
      await expectError(by.call(confirmSession, { sessionId: id }), "session_not_found");
  await hanako.call(confirmSession, { sessionId: one!.id });
  await hanako.call(endSession, { sessionId: two!.id });

  expect(await newOnesOf(hanako)).toEqual([]);
  await expectError(hanako.call(confirmSession, { sessionId: one!.id }), "session_not_found");
});

test("a second login makes no new device known", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("twice-hanako", { at: null, password });
  const thief = await logInFrom(service, hanako);
  const again = await logInFrom(service, hanako, thief.device);
  const [shown] = await newOnesOf(hanako);

  expect(await newOnesOf(again)).toEqual([]);
  await expectError(again.call(confirmSession, { sessionId: shown!.id }), "session_not_found");
  await hanako.call(endSession, { sessionId: shown!.id });
  expect(await newOnesOf(hanako)).toHaveLength(1);
});

test("confirms all logins of a new device at once", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("once-hanako", { at: null, password });
  const phone = await logInFrom(service, hanako);
  await logInFrom(service, hanako, phone.device);

  const [shown, ...more] = await newOnesOf(hanako);
  await hanako.call(confirmSession, { sessionId: shown!.id });

  expect(more).toEqual([]);
  expect(await newOnesOf(hanako)).toEqual([]);
});

test("shows no new device to a member who switched that off", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("off-hanako", { at: null, password });
  await hanako.call(saveSessions, { tells_new_devices: false });

  await logInFrom(service, hanako);

  expect(await newOnesOf(hanako)).toEqual([]);
  expect((await hanako.call(getSessions, {})).tells_new_devices).toBe(false);
  await hanako.call(saveSessions, { tells_new_devices: true });
  await logInFrom(service, hanako);
  expect(await newOnesOf(hanako)).toHaveLength(1);
});
