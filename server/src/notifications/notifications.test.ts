import { afterAll, expect, test } from "vitest";
import { deleteAccount, logOut } from "@alcove/contract/accounts";
import { PUSH_DEVICES_MAX } from "@alcove/contract/limits";
import { readDm, sendDm } from "@alcove/contract/messaging";
import {
  getNotifications,
  saveNotifications,
  sawNews,
  subscribePush,
  unsubscribePush,
} from "@alcove/contract/notifications";
import { type Device, startPushService } from "@alcove/test-services/push";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { createPushSender } from "../integrations/push/web-push.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import { hanakoAndTaro, match, serviceForTest } from "../testing/match.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";
import { processOutbox } from "./outbox.ts";
import { sendNotifications } from "./send-notifications.ts";

const pushes = await startPushService();
afterAll(() => pushes.close());

const withPushes = { config: { pushLocalOrigin: pushes.origin } };
const PREFERENCES = {
  push: true,
  quiet_hours: false,
  quiet_from: "22:00",
  quiet_to: "07:00",
  time_zone: "Asia/Tokyo",
  digest: false,
};

async function subscribe(member: TestMember, language?: string): Promise<Device> {
  const device = await pushes.addDevice();
  await member.call(subscribePush, device, language);
  return device;
}

/** Sends the notifications that are due after `ms`. */
async function notifyAfter(service: TestService, ms: number): Promise<void> {
  await processOutbox(service.ctx);
  service.clock.advance(ms);
  await sendNotifications(service.ctx, createPushSender(service.ctx.config, service.ctx.secrets));
}

const notify = (service: TestService) => notifyAfter(service, 15 * SECOND_MS);
const write = (from: TestMember, to: TestMember, description = "Good evening") =>
  from.call(sendDm, { receiverId: to.user_id, description });
const countPushes = async ({ endpoint }: Device) => (await pushes.received(endpoint)).length;

test.each(languages)("sends a push without names when a message arrives, in %s", async (language) => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro, language);

  await write(hanako, taro, "Meet me at the river");
  await notify(service);

  const [push, ...more] = await pushes.received(device.endpoint);
  expect(more).toEqual([]);
  expect(JSON.parse(push!.text)).toEqual({
    title: "Alcove",
    body: allTranslations[language].notifications.somethingNew,
    lang: language,
  });
  expect(allTranslations.en.notifications.somethingNew).toBe("You have something new.");
  expect(push).toMatchObject({ key: (await taro.call(getNotifications, {})).push_key, topic: "new" });
});

test("notifies both sides of a match, but not the sender of a message", async () => {
  const service = await serviceForTest(withPushes);
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const [hers, his] = [await subscribe(hanako), await subscribe(taro)];

  await match(hanako, taro);
  await notify(service);
  expect([await countPushes(hers), await countPushes(his)]).toEqual([1, 1]);

  for (const one of [hanako, taro]) await one.call(sawNews, {});
  await write(hanako, taro);
  await notify(service);
  expect([await countPushes(hers), await countPushes(his)]).toEqual([1, 2]);
});

test("sends no push when the member has read the message or seen the app", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  const { dm } = await write(hanako, taro);
  await taro.call(readDm, { friendId: "hanako", dmId: dm.id });
  await notify(service);
  await write(hanako, taro);
  await taro.call(sawNews, {});
  await notify(service);
  expect(await countPushes(device)).toBe(0);

  await write(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(1);
});

test("sends one push for many messages, and another after five minutes at the earliest", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  for (let i = 0; i < 10; i++) await write(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(1);

  for (let i = 0; i < 10; i++) await write(hanako, taro);
  await notifyAfter(service, 4 * MINUTE_MS);
  expect(await countPushes(device)).toBe(1);
  await notifyAfter(service, MINUTE_MS);
  expect(await countPushes(device)).toBe(2);

  await notifyAfter(service, HOUR_MS); // no new event
  expect(await countPushes(device)).toBe(2);
});

test("sends one push after the quiet hours, and none in them", async () => {
  const service = await serviceForTest(withPushes);
  service.clock.set("2030-03-01T14:30:00Z"); // half past eleven in Tokyo
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await taro.call(saveNotifications, { ...PREFERENCES, quiet_hours: true });

  for (let i = 0; i < 3; i++) {
    await write(hanako, taro);
    await notifyAfter(service, 4 * MINUTE_MS);
  }
  expect(await countPushes(device)).toBe(0);

  service.clock.set("2030-03-01T21:59:59Z");
  await notifyAfter(service, 0);
  expect(await countPushes(device)).toBe(0);
  await notifyAfter(service, SECOND_MS);
  expect(await countPushes(device)).toBe(1);
  await notifyAfter(service, HOUR_MS);
  expect(await countPushes(device)).toBe(1);
});

test("sends no push when notifications are off", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await taro.call(saveNotifications, { ...PREFERENCES, push: false });
  await write(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(0);
  expect(await service.db.selectFrom("notification_outbox").selectAll().execute()).toEqual([]);

  await taro.call(saveNotifications, PREFERENCES);
  await write(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(1);
});

test("notifies each device, and deletes one that its push service no longer knows", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const [phone, gone, lost] = [await subscribe(taro), await subscribe(taro), await subscribe(taro)];
  await pushes.respondNext(gone.endpoint, { status: 410 });
  await pushes.respondNext(lost.endpoint, { status: 404 });

  await write(hanako, taro);
  await notify(service);

  expect(await countPushes(phone)).toBe(1);
  expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toHaveLength(1);
  expect(await service.db.selectFrom("push_endpoints").selectAll().execute()).toHaveLength(1);
  await write(hanako, taro);
  await notifyAfter(service, HOUR_MS);
  expect([await countPushes(phone), await countPushes(gone), await countPushes(lost)]).toEqual([2, 0, 0]);
});

test("retries at the requested time when a push service is busy, and notifies other devices once", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const [phone, desktop] = [await subscribe(taro), await subscribe(taro)];
  await pushes.respondNext(
    phone.endpoint,
    { status: 429, headers: { "retry-after": "600" } },
    { status: 503 },
  );

  await write(hanako, taro);
  await notify(service);
  await notifyAfter(service, 9 * MINUTE_MS);
  expect([await countPushes(phone), await countPushes(desktop)]).toEqual([0, 1]);

  await notifyAfter(service, MINUTE_MS); // 503
  await notifyAfter(service, MINUTE_MS);
  expect([await countPushes(phone), await countPushes(desktop)]).toEqual([1, 1]);
  await notifyAfter(service, HOUR_MS);
  expect([await countPushes(phone), await countPushes(desktop)]).toEqual([1, 1]);
});

test("notifies other members when a push service does not respond", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { paid: true });
  await subscribe(taro);
  const device = await subscribe(jiro);
  await write(hanako, taro);
  await processOutbox(service.ctx);
  service.clock.advance(SECOND_MS);
  await match(hanako, jiro);
  await processOutbox(service.ctx);
  service.clock.advance(15 * SECOND_MS);
  await service.ctx.jobs.stop(); // the server must not notify him itself

  const real = createPushSender(service.ctx.config, service.ctx.secrets);
  const silence = new Promise<never>(() => undefined);
  void sendNotifications(service.ctx, {
    send: (to, text) => (to.endpoint === device.endpoint ? real.send(to, text) : silence),
  });

  await eventually(async () => expect(await countPushes(device)).toBe(1));
});

test("does not follow a redirect of a push service", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await pushes.respondNext(device.endpoint, { status: 307 });
  const before = await pushes.requestCount();

  await write(hanako, taro);
  await notify(service);

  expect(await pushes.requestCount()).toBe(before + 1);
  expect(await countPushes(device)).toBe(0);
});

test("stops notifying a device when it unsubscribes, its session ends or its member is deleted", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await taro.call(unsubscribePush, { endpoint: device.endpoint });
  await write(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(0);

  await taro.call(subscribePush, device);
  await write(hanako, taro);
  await taro.call(logOut, { token: taro.refresh });
  await notify(service);
  expect(await countPushes(device)).toBe(0);
  await eventually(async () =>
    expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toEqual([]),
  );

  await subscribe(hanako);
  await hanako.call(deleteAccount, {});
  for (const table of [
    "notification_preferences",
    "notification_outbox",
    "push_subscriptions",
    "push_endpoints",
  ] as const) {
    const rows = await service.db.selectFrom(table).select("member_no").execute();
    expect(rows.map(({ member_no }) => member_no)).not.toContain(hanako.memberId);
  }
});

test("sends no push when the event of an ended session was lost", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await write(hanako, taro);
  await service.db
    .updateTable("sessions")
    .set({ ended_at: new Date() })
    .where("member_no", "=", taro.memberId)
    .execute();
  await notify(service);

  expect(await countPushes(device)).toBe(0);
  expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toEqual([]);
});

test("notifies only the new owner when another member subscribes the same device", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const shared = await subscribe(taro);
  await hanako.call(subscribePush, shared);

  await write(hanako, taro);
  await notify(service);
  expect(await countPushes(shared)).toBe(0);

  await taro.call(unsubscribePush, { endpoint: shared.endpoint }); // no longer his device
  await write(taro, hanako);
  await notify(service);
  expect(await countPushes(shared)).toBe(1);
});

test("replaces the oldest device when there is one too many", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const devices: Device[] = [];
  for (let i = 0; i <= PUSH_DEVICES_MAX; i++) {
    devices.push(await subscribe(taro));
    service.clock.advance(1);
  }

  await write(hanako, taro);
  await notify(service);

  const counts = await Promise.all(devices.map(countPushes));
  expect(counts).toEqual([0, ...Array.from({ length: PUSH_DEVICES_MAX }, () => 1)]);
});

test.each([
  "http://push.example.com/send/a",
  "https://127.0.0.1/send/a",
  "https://localhost/send/a",
  "https://[::1]/send/a",
  "https://2130706433/send/a",
  "https://push.example.com:8443/send/a",
  "https://user:word@push.example.com/send/a",
  "ftp://push.example.com/",
  "file:///etc/passwd",
])("rejects the endpoint %s", async (endpoint) => {
  const service = await serviceForTest();
  const taro = await service.member("taro");
  const { p256dh, auth } = await pushes.addDevice();

  const apiError = await expectError(taro.call(subscribePush, { endpoint, p256dh, auth }), "invalid_input");

  expect(apiError.body["validation_errors"]).toEqual({ endpoint: ["url_invalid"] });
});

test("rejects an endpoint on this machine unless it is configured", async () => {
  const service = await serviceForTest();
  const taro = await service.member("taro");

  await expectError(taro.call(subscribePush, await pushes.addDevice()), "invalid_input");
});

test("rejects invalid keys", async () => {
  const service = await serviceForTest(withPushes);
  const taro = await service.member("taro");
  const device = await pushes.addDevice();

  for (const wrong of [
    { p256dh: Buffer.alloc(65, 4).toString("base64url") },
    { p256dh: "short" },
    { auth: Buffer.alloc(15).toString("base64url") },
  ])
    await expectError(taro.call(subscribePush, { ...device, ...wrong }), "invalid_input");
});

test("notifies each member once when several processes run", async () => {
  const service = await serviceForTest(withPushes);
  const others = [
    await testService({ beside: service, ...withPushes }),
    await testService({ beside: service, ...withPushes }),
  ];
  const hanako = await service.member("hanako", { paid: true, sex: "female" });
  const theirs: Device[] = [];
  const them: TestMember[] = [];
  for (let i = 0; i < 40; i++) {
    const him = await service.member(`him${i}`, { paid: true, sex: "male" });
    await match(hanako, him);
    theirs.push(await subscribe(him));
    them.push(him);
  }

  await Promise.all(them.map((him) => write(hanako, him)));
  await Promise.all([service, ...others].map((each) => processOutbox(each.ctx)));
  service.clock.advance(15 * SECOND_MS);
  const push = createPushSender(service.ctx.config, service.ctx.secrets);
  await Promise.all([service, ...others].map((each) => sendNotifications(each.ctx, push)));

  // The servers also send notifications after message events, so one may still be running.
  const countAll = () => Promise.all(theirs.map(countPushes));
  await eventually(async () => expect(await countAll()).toEqual(theirs.map(() => 1)));
}, 60_000);

test("notifies a member after a minute when the first process dies during the push", async () => {
  const service = await serviceForTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await write(hanako, taro);

  // A push that never ends replaces a process that died.
  const asked = Promise.withResolvers<void>();
  await processOutbox(service.ctx);
  service.clock.advance(15 * SECOND_MS);
  void sendNotifications(service.ctx, {
    send: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  await asked.promise;
  await notifyAfter(service, 30 * SECOND_MS);
  expect(await countPushes(device)).toBe(0);

  await notifyAfter(service, 31 * SECOND_MS);
  expect(await countPushes(device)).toBe(1);
});

test("keeps saved preferences, and rejects an invalid time zone or time", async () => {
  const service = await serviceForTest(withPushes);
  const taro = await service.member("taro");
  const { push_key, ...unsaved } = await taro.call(getNotifications, {});
  expect(unsaved).toEqual({ ...PREFERENCES, time_zone: null, has_email: true });
  expect(Buffer.from(push_key, "base64url")).toHaveLength(65);

  const saved = {
    ...PREFERENCES,
    push: false,
    quiet_hours: true,
    quiet_from: "00:30",
    quiet_to: "23:59",
    digest: true,
  };
  await taro.call(saveNotifications, saved);
  expect(await taro.call(getNotifications, {})).toEqual({ ...saved, push_key, has_email: true });

  for (const wrong of [
    { time_zone: "Mars/Phobos" },
    { time_zone: "+25:00" },
    { quiet_from: "24:00" },
    { quiet_from: "7:00" },
    { quiet_hours: true, quiet_from: "07:00", quiet_to: "07:00" },
  ])
    await expectError(taro.call(saveNotifications, { ...PREFERENCES, ...wrong }), "invalid_input");
});
