import { expect, test } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { getLastDms, muteConversation, readDm } from "@alcove/contract/messaging";
import { getNotifications, sawNews } from "@alcove/contract/notifications";
import { blockUser, reportUser, unblockUser } from "@alcove/contract/safety";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import type { Device } from "@alcove/test-services/push";
import { suspendMember } from "../accounts/index.ts";
import { createPushSender } from "../integrations/push/push-sender.ts";
import { limitIn } from "../profiles/index.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { fakePushServiceForFile, notify, notifyAfter, sendText } from "../testing/pushes.ts";
import { rounds } from "../testing/rounds.ts";
import { eventually, expectError, testService, type TestMember } from "../testing/test-service.ts";
import { processOutbox } from "./outbox.ts";
import { findDuePushes, sendPushes } from "./pushes.ts";
import { sendNotifications } from "./send-notifications.ts";

const { pushes, withPushes, serviceWithPushes, subscribe, countPushes } = await fakePushServiceForFile();

test.each(languages)("sends a push without names when a message arrives, in %s", async (language) => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro, language);

  await sendText(hanako, taro, "Meet me at the river");
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
  const service = await serviceWithPushes();
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const [hers, his] = [await subscribe(hanako), await subscribe(taro)];

  await match(hanako, taro);
  await notify(service);
  expect([await countPushes(hers), await countPushes(his)]).toEqual([1, 1]);

  for (const one of [hanako, taro]) await one.call(sawNews, {});
  await sendText(hanako, taro);
  await notify(service);
  expect([await countPushes(hers), await countPushes(his)]).toEqual([1, 2]);
});

test("sends no push when the member has read the message or seen the app", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  const { dm } = await sendText(hanako, taro);
  await taro.call(readDm, { friendId: "hanako", dmId: dm.id });
  await notify(service);
  await sendText(hanako, taro);
  await taro.call(sawNews, {});
  await notify(service);
  expect(await countPushes(device)).toBe(0);

  await sendText(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(1);
});

test("sends one push for many messages, and another after five minutes at the earliest", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  for (let i = 0; i < 10; i++) await sendText(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(1);

  for (let i = 0; i < 10; i++) await sendText(hanako, taro);
  await notifyAfter(service, 4 * MINUTE_MS);
  expect(await countPushes(device)).toBe(1);
  await notifyAfter(service, MINUTE_MS);
  expect(await countPushes(device)).toBe(2);

  await notifyAfter(service, HOUR_MS); // no new event
  expect(await countPushes(device)).toBe(2);
});

test("retries at the requested time when a push service is busy, and notifies other devices once", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const [phone, desktop] = [await subscribe(taro), await subscribe(taro)];
  await pushes.respondNext(
    phone.endpoint,
    { status: 429, headers: { "retry-after": "600" } },
    { status: 503 },
  );

  await sendText(hanako, taro);
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
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { paid: true });
  await subscribe(taro);
  const device = await subscribe(jiro);
  await sendText(hanako, taro);
  await processOutbox(service.ctx);
  service.clock.advance(SECOND_MS);
  await match(hanako, jiro);
  await processOutbox(service.ctx);
  service.clock.advance(15 * SECOND_MS);

  const real = createPushSender(service.ctx);
  const silence = new Promise<never>(() => undefined);
  void sendNotifications(service.ctx, {
    send: async (to, message) =>
      "endpoint" in to && to.endpoint === device.endpoint ? real.send(to, message) : silence,
    close: () => undefined,
  });

  await eventually(async () => expect(await countPushes(device)).toBe(1));
});

test("announces no message, match, card or count of a limited or suspended member, while an open report changes nothing", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  const events = await taro.socket("/ws/events");
  const unread = async () => (await taro.call(getLastDms, {})).unread;
  const limit = (until: Date | null) =>
    service.db.transaction().execute((tx) => limitIn(tx, service.ctx, hanako.memberId, until));
  const searchable = () =>
    service.db.selectFrom("searchables").select("slot").where("member_no", "=", hanako.memberId).execute();

  await taro.call(reportUser, { userId: "hanako", reason: "threat" });
  await sendText(hanako, taro);
  await notify(service);
  expect([await countPushes(device), await unread()]).toEqual([1, ["hanako"]]);
  expect(await searchable()).toHaveLength(1);

  await taro.call(sawNews, {});
  await limit(new Date("2099-01-01T00:00:00Z"));
  await sendText(hanako, taro);
  await notify(service);
  expect([await countPushes(device), await unread()]).toEqual([1, []]);
  expect(await searchable()).toEqual([]);
  await eventually(() =>
    expect(events.frames.map((frame) => "quiet" in (frame as object))).toEqual([false, true]),
  );
  const yuki = await service.member("yuki", { paid: true, sex: "male" });
  const yukis = await subscribe(yuki);
  await service.db.transaction().execute((tx) => limitIn(tx, service.ctx, hanako.memberId, null));
  await hanako.call(likeUser, { likedId: "yuki" });
  await limit(new Date("2099-01-01T00:00:00Z"));
  expect(await yuki.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
  await notify(service);
  expect([await countPushes(yukis), (await yuki.call(getLastDms, {})).unread]).toEqual([0, []]);

  await limit(null);
  expect(await unread()).toEqual(["hanako"]);
  await sendText(hanako, taro);
  await suspendMember(service.ctx, hanako.memberId);
  await notify(service);
  expect([await countPushes(device), await unread()]).toEqual([1, []]);
});

test("notifies each member once when several processes run", async () => {
  const service = await serviceWithPushes();
  const others = [
    await testService({ beside: service, ...withPushes }),
    await testService({ beside: service, ...withPushes }),
  ];
  for (const { ctx } of others) await ctx.jobs.stop();
  const hanako = await service.member("hanako", { paid: true, sex: "female" });
  const theirs: Device[] = [];
  const them: TestMember[] = [];
  for (let i = 0; i < rounds(40); i++) {
    const him = await service.member(`him${i}`, { paid: true, sex: "male" });
    await match(hanako, him);
    theirs.push(await subscribe(him));
    them.push(him);
  }

  await Promise.all(them.map((him) => sendText(hanako, him)));
  await Promise.all([service, ...others].map((each) => processOutbox(each.ctx)));
  service.clock.advance(15 * SECOND_MS);
  const push = createPushSender(service.ctx);
  const due = await findDuePushes(service.ctx);
  await Promise.all([service, ...others].map((each) => sendPushes(each.ctx, push, due)));

  expect(await Promise.all(theirs.map(countPushes))).toEqual(theirs.map(() => 1));
}, 60_000);

test("notifies a member after a minute when the first process dies during the push", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await sendText(hanako, taro);

  // A push that never ends replaces a process that died.
  const sending = Promise.withResolvers<void>();
  await processOutbox(service.ctx);
  service.clock.advance(15 * SECOND_MS);
  void sendNotifications(service.ctx, {
    send: () => {
      sending.resolve();
      return new Promise(() => undefined);
    },
    close: () => undefined,
  });
  await sending.promise;
  await notifyAfter(service, 30 * SECOND_MS);
  expect(await countPushes(device)).toBe(0);

  await notifyAfter(service, 31 * SECOND_MS);
  expect(await countPushes(device)).toBe(1);
});

test("sends no push from a muted conversation, also beside unread messages of another one", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const yuki = await service.member("yuki", { paid: true });
  await match(yuki, taro);
  await taro.call(sawNews, {});
  const device = await subscribe(taro);
  const pushesAfter = async (from: TestMember) => {
    const before = await countPushes(device);
    await taro.call(sawNews, {});
    await sendText(from, taro);
    await notify(service);
    return (await countPushes(device)) - before;
  };

  await taro.call(muteConversation, { friendId: "hanako", muted: true }); // without a message yet
  expect(await pushesAfter(yuki)).toBe(1);
  expect(await pushesAfter(hanako)).toBe(0);
  expect((await taro.call(getLastDms, {})).muted).toEqual(["hanako"]);
  expect((await hanako.call(getLastDms, {})).muted).toEqual([]);

  await taro.call(muteConversation, { friendId: "hanako", muted: false });
  expect(await pushesAfter(hanako)).toBe(1);

  await taro.call(muteConversation, { friendId: "hanako", muted: true });
  await taro.call(blockUser, { userId: "hanako" });
  await expectError(
    taro.call(muteConversation, { friendId: "hanako", muted: true }),
    "conversation_not_found",
  );
  await taro.call(unblockUser, { userId: "hanako" });
  await match(hanako, taro);
  expect((await taro.call(getLastDms, {})).muted).toEqual([]);
});
