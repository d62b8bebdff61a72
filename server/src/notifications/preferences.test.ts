import { expect, test } from "vitest";
import { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import {
  fakePushServiceForFile,
  notify,
  notifyAfter,
  openFrom,
  PREFERENCES,
  sendText,
} from "../testing/pushes.ts";
import { expectError } from "../testing/test-service.ts";

const { serviceWithPushes, subscribe, countPushes } = await fakePushServiceForFile();

test("sends one push after the quiet hours, and none in them", async () => {
  const service = await serviceWithPushes();
  service.clock.set("2030-03-01T14:30:00Z"); // half past eleven in Tokyo
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await taro.call(saveNotifications, { ...PREFERENCES, quiet_hours: true });
  await openFrom("Asia/Tokyo", taro);

  for (let i = 0; i < 3; i++) {
    await sendText(hanako, taro);
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
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await taro.call(saveNotifications, { ...PREFERENCES, push: false });
  await sendText(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(0);
  expect(await service.db.selectFrom("notification_outbox").selectAll().execute()).toEqual([]);

  await taro.call(saveNotifications, PREFERENCES);
  await sendText(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(1);
});

test("keeps saved preferences, and rejects an invalid time", async () => {
  const service = await serviceWithPushes();
  const taro = await service.member("taro");
  const { push_key, native_push, ...unsaved } = await taro.call(getNotifications, {});
  expect(native_push).toEqual([]);
  expect(unsaved).toEqual({ ...PREFERENCES, time_zone: null, has_email: true });
  expect(Buffer.from(push_key, "base64url")).toHaveLength(65);

  const saved = {
    ...PREFERENCES,
    push: false,
    quiet_hours: true,
    quiet_from: "00:30",
    quiet_to: "23:59",
    digest: true,
    somebody_new: true,
    push_asked: true,
  };
  await taro.call(saveNotifications, saved);
  expect(await taro.call(getNotifications, {})).toEqual({
    ...saved,
    time_zone: null,
    push_key,
    native_push,
    has_email: true,
  });

  for (const wrong of [
    { quiet_from: "24:00" },
    { quiet_from: "7:00" },
    { quiet_hours: true, quiet_from: "07:00", quiet_to: "07:00" },
  ])
    await expectError(taro.call(saveNotifications, { ...PREFERENCES, ...wrong }), "invalid_input");
});
