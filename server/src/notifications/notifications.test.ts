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
import { openPush } from "../integrations/push/web-push.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import { hanakoAndTaro, match, serviceOfTest } from "../testing/match.ts";
import {
  eventually,
  refused,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";
import { processOutbox } from "./outbox.ts";
import { sendNotifications } from "./send-notifications.ts";

const pushes = await startPushService();
afterAll(() => pushes.close());

const withPushes = { config: { pushLocalOrigin: pushes.origin } };
const CHOICES = {
  push: true,
  quiet_hours: false,
  quiet_from: "22:00",
  quiet_to: "07:00",
  time_zone: "Asia/Tokyo",
  digest: false,
};

async function subscribe(member: TestMember, language?: string): Promise<Device> {
  const device = await pushes.addDevice();
  await member.ask(subscribePush, device, language);
  return device;
}

/** Lets a process do what is due so many milliseconds from now. */
async function tellAfter(service: TestService, ms: number): Promise<void> {
  await processOutbox(service.ctx);
  service.clock.advance(ms);
  await sendNotifications(service.ctx, openPush(service.ctx.config, service.ctx.secrets));
}

const tell = (service: TestService) => tellAfter(service, 15 * SECOND_MS);
const say = (from: TestMember, to: TestMember, description = "Good evening") =>
  from.ask(sendDm, { receiverId: to.user_id, description });
const toldTo = async ({ endpoint }: Device) => (await pushes.received(endpoint)).length;

test.each(languages)(
  "a device is told of a message by a sentence that names nobody, in %s",
  async (language) => {
    const service = await serviceOfTest(withPushes);
    const { hanako, taro } = await hanakoAndTaro(service);
    const device = await subscribe(taro, language);

    await say(hanako, taro, "Meet me at the river");
    await tell(service);

    const [push, ...more] = await pushes.received(device.endpoint);
    expect(more).toEqual([]);
    expect(JSON.parse(push!.text)).toEqual({
      title: "Alcove",
      body: allTranslations[language].notifications.somethingNew,
      lang: language,
    });
    expect(allTranslations.en.notifications.somethingNew).toBe("You have something new.");
    expect(push).toMatchObject({ key: (await taro.ask(getNotifications, {})).push_key, topic: "new" });
  },
);

test("both sides of a match are told of it, and nobody of its own message", async () => {
  const service = await serviceOfTest(withPushes);
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const [hers, his] = [await subscribe(hanako), await subscribe(taro)];

  await match(hanako, taro);
  await tell(service);
  expect([await toldTo(hers), await toldTo(his)]).toEqual([1, 1]);

  for (const one of [hanako, taro]) await one.ask(sawNews, {});
  await say(hanako, taro);
  await tell(service);
  expect([await toldTo(hers), await toldTo(his)]).toEqual([1, 2]);
});

test("what a member has read, or has seen before its eyes, is not told", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  const { dm } = await say(hanako, taro);
  await taro.ask(readDm, { friendId: "hanako", dmId: dm.id });
  await tell(service);
  await say(hanako, taro);
  await taro.ask(sawNews, {});
  await tell(service);
  expect(await toldTo(device)).toBe(0);

  await say(hanako, taro);
  await tell(service);
  expect(await toldTo(device)).toBe(1);
});

test("many messages are told once, and again after five minutes at the earliest while nothing is seen", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  for (let i = 0; i < 10; i++) await say(hanako, taro);
  await tell(service);
  expect(await toldTo(device)).toBe(1);

  for (let i = 0; i < 10; i++) await say(hanako, taro);
  await tellAfter(service, 4 * MINUTE_MS);
  expect(await toldTo(device)).toBe(1);
  await tellAfter(service, MINUTE_MS);
  expect(await toldTo(device)).toBe(2);

  await tellAfter(service, HOUR_MS); // nothing has come since
  expect(await toldTo(device)).toBe(2);
});

test("in quiet hours nothing is told; what came meanwhile is told once after them", async () => {
  const service = await serviceOfTest(withPushes);
  service.clock.set("2030-03-01T14:30:00Z"); // half past eleven in Tokyo
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await taro.ask(saveNotifications, { ...CHOICES, quiet_hours: true });

  for (let i = 0; i < 3; i++) {
    await say(hanako, taro);
    await tellAfter(service, 4 * MINUTE_MS);
  }
  expect(await toldTo(device)).toBe(0);

  service.clock.set("2030-03-01T21:59:59Z");
  await tellAfter(service, 0);
  expect(await toldTo(device)).toBe(0);
  await tellAfter(service, SECOND_MS);
  expect(await toldTo(device)).toBe(1);
  await tellAfter(service, HOUR_MS);
  expect(await toldTo(device)).toBe(1);
});

test("who has switched notifications off is not told", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await taro.ask(saveNotifications, { ...CHOICES, push: false });
  await say(hanako, taro);
  await tell(service);
  expect(await toldTo(device)).toBe(0);
  expect(await service.db.selectFrom("notification_outbox").selectAll().execute()).toEqual([]);

  await taro.ask(saveNotifications, CHOICES);
  await say(hanako, taro);
  await tell(service);
  expect(await toldTo(device)).toBe(1);
});

test("each device is told; one that its push service does not know any more is forgotten", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const [phone, gone, lost] = [await subscribe(taro), await subscribe(taro), await subscribe(taro)];
  await pushes.answerNext(gone.endpoint, { status: 410 });
  await pushes.answerNext(lost.endpoint, { status: 404 });

  await say(hanako, taro);
  await tell(service);

  expect(await toldTo(phone)).toBe(1);
  expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toHaveLength(1);
  expect(await service.db.selectFrom("push_endpoints").selectAll().execute()).toHaveLength(1);
  await say(hanako, taro);
  await tellAfter(service, HOUR_MS);
  expect([await toldTo(phone), await toldTo(gone), await toldTo(lost)]).toEqual([2, 0, 0]);
});

test("a push service that is busy is asked again when it said so, and the other devices are told once", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const [phone, desktop] = [await subscribe(taro), await subscribe(taro)];
  await pushes.answerNext(
    phone.endpoint,
    { status: 429, headers: { "retry-after": "600" } },
    { status: 503 },
  );

  await say(hanako, taro);
  await tell(service);
  await tellAfter(service, 9 * MINUTE_MS);
  expect([await toldTo(phone), await toldTo(desktop)]).toEqual([0, 1]);

  await tellAfter(service, MINUTE_MS); // 503
  await tellAfter(service, MINUTE_MS);
  expect([await toldTo(phone), await toldTo(desktop)]).toEqual([1, 1]);
  await tellAfter(service, HOUR_MS);
  expect([await toldTo(phone), await toldTo(desktop)]).toEqual([1, 1]);
});

test("whose push service says nothing keeps nobody else waiting", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { paid: true });
  await subscribe(taro);
  const device = await subscribe(jiro);
  await say(hanako, taro);
  await processOutbox(service.ctx);
  service.clock.advance(SECOND_MS);
  await match(hanako, jiro);
  await processOutbox(service.ctx);
  service.clock.advance(15 * SECOND_MS);
  await service.ctx.jobs.stop(); // it would tell him of itself

  const real = openPush(service.ctx.config, service.ctx.secrets);
  const silence = new Promise<never>(() => undefined);
  void sendNotifications(service.ctx, {
    send: (to, text) => (to.endpoint === device.endpoint ? real.send(to, text) : silence),
  });

  await eventually(async () => expect(await toldTo(device)).toBe(1));
});

test("where a push service leads elsewhere, nobody follows", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await pushes.answerNext(device.endpoint, { status: 307 });
  const before = await pushes.asked();

  await say(hanako, taro);
  await tell(service);

  expect(await pushes.asked()).toBe(before + 1);
  expect(await toldTo(device)).toBe(0);
});

test("a device is told no more once it says so, is logged out, or its member is gone", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await taro.ask(unsubscribePush, { endpoint: device.endpoint });
  await say(hanako, taro);
  await tell(service);
  expect(await toldTo(device)).toBe(0);

  await taro.ask(subscribePush, device);
  await say(hanako, taro);
  await taro.ask(logOut, { token: taro.refresh });
  await tell(service);
  expect(await toldTo(device)).toBe(0);
  await eventually(async () =>
    expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toEqual([]),
  );

  await subscribe(hanako);
  await hanako.ask(deleteAccount, {});
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

test("a session that ended without anybody hearing of it is not told", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await say(hanako, taro);
  await service.db
    .updateTable("sessions")
    .set({ ended_at: new Date() })
    .where("member_no", "=", taro.memberId)
    .execute();
  await tell(service);

  expect(await toldTo(device)).toBe(0);
  expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toEqual([]);
});

test("a device that another member logs in on is that member's alone", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const shared = await subscribe(taro);
  await hanako.ask(subscribePush, shared);

  await say(hanako, taro);
  await tell(service);
  expect(await toldTo(shared)).toBe(0);

  await taro.ask(unsubscribePush, { endpoint: shared.endpoint }); // not his any more
  await say(taro, hanako);
  await tell(service);
  expect(await toldTo(shared)).toBe(1);
});

test("one device too many replaces the oldest", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const devices: Device[] = [];
  for (let i = 0; i <= PUSH_DEVICES_MAX; i++) {
    devices.push(await subscribe(taro));
    service.clock.advance(1);
  }

  await say(hanako, taro);
  await tell(service);

  const told = await Promise.all(devices.map(toldTo));
  expect(told).toEqual([0, ...Array.from({ length: PUSH_DEVICES_MAX }, () => 1)]);
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
])("%s is no address of a push service", async (endpoint) => {
  const service = await serviceOfTest();
  const taro = await service.member("taro");
  const { p256dh, auth } = await pushes.addDevice();

  const apiError = await refused(taro.ask(subscribePush, { endpoint, p256dh, auth }), "invalid_input");

  expect(apiError.body["validation_errors"]).toEqual({ endpoint: ["url_invalid"] });
});

test("an address on this machine is refused unless the operator named it", async () => {
  const service = await serviceOfTest();
  const taro = await service.member("taro");

  await refused(taro.ask(subscribePush, await pushes.addDevice()), "invalid_input");
});

test("keys that no device can have are refused", async () => {
  const service = await serviceOfTest(withPushes);
  const taro = await service.member("taro");
  const device = await pushes.addDevice();

  for (const wrong of [
    { p256dh: Buffer.alloc(65, 4).toString("base64url") },
    { p256dh: "short" },
    { auth: Buffer.alloc(15).toString("base64url") },
  ])
    await refused(taro.ask(subscribePush, { ...device, ...wrong }), "invalid_input");
});

test("of several processes one tells each member, once", async () => {
  const service = await serviceOfTest(withPushes);
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

  await Promise.all(them.map((him) => say(hanako, him)));
  await Promise.all([service, ...others].map((each) => processOutbox(each.ctx)));
  service.clock.advance(15 * SECOND_MS);
  const push = openPush(service.ctx.config, service.ctx.secrets);
  await Promise.all([service, ...others].map((each) => sendNotifications(each.ctx, push)));

  // Each tells by itself too, once it hears of messages: one may be about to.
  const toldAll = () => Promise.all(theirs.map(toldTo));
  await eventually(async () => expect(await toldAll()).toEqual(theirs.map(() => 1)));
}, 60_000);

test("a process that dies while it tells loses nothing: another one tells after a minute", async () => {
  const service = await serviceOfTest(withPushes);
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await say(hanako, taro);

  // A push that never ends stands for the process that died.
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
  await tellAfter(service, 30 * SECOND_MS);
  expect(await toldTo(device)).toBe(0);

  await tellAfter(service, 31 * SECOND_MS);
  expect(await toldTo(device)).toBe(1);
});

test("choices are kept as they were saved, and a time zone or time that is none is refused", async () => {
  const service = await serviceOfTest(withPushes);
  const taro = await service.member("taro");
  const { push_key, ...unchosen } = await taro.ask(getNotifications, {});
  expect(unchosen).toEqual({ ...CHOICES, time_zone: null, has_email: true });
  expect(Buffer.from(push_key, "base64url")).toHaveLength(65);

  const chosen = {
    ...CHOICES,
    push: false,
    quiet_hours: true,
    quiet_from: "00:30",
    quiet_to: "23:59",
    digest: true,
  };
  await taro.ask(saveNotifications, chosen);
  expect(await taro.ask(getNotifications, {})).toEqual({ ...chosen, push_key, has_email: true });

  for (const wrong of [
    { time_zone: "Mars/Phobos" },
    { time_zone: "+25:00" },
    { quiet_from: "24:00" },
    { quiet_from: "7:00" },
    { quiet_hours: true, quiet_from: "07:00", quiet_to: "07:00" },
  ])
    await refused(taro.ask(saveNotifications, { ...CHOICES, ...wrong }), "invalid_input");
});
