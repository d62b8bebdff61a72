import { expect, test } from "vitest";
import { deleteAccount, logOut } from "@alcove/contract/accounts";
import { PUSH_DEVICES_MAX } from "@alcove/contract/limits";
import { subscribePush, unsubscribePush } from "@alcove/contract/notifications";
import type { Device } from "@alcove/test-services/push";
import { HOUR_MS } from "../platform/clock.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fakePushServiceForFile, notify, notifyAfter, sendText } from "../testing/pushes.ts";
import { eventually, expectError } from "../testing/test-service.ts";

const { pushes, serviceWithPushes, subscribe, countPushes } = await fakePushServiceForFile();

test("notifies each device, and deletes one that its push service no longer knows", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const [phone, gone, lost] = [await subscribe(taro), await subscribe(taro), await subscribe(taro)];
  await pushes.respondNext(gone.endpoint, { status: 410 });
  await pushes.respondNext(lost.endpoint, { status: 404 });

  await sendText(hanako, taro);
  await notify(service);

  expect(await countPushes(phone)).toBe(1);
  expect(await service.db.selectFrom("push_subscriptions").selectAll().execute()).toHaveLength(1);
  expect(await service.db.selectFrom("push_endpoints").selectAll().execute()).toHaveLength(1);
  await sendText(hanako, taro);
  await notifyAfter(service, HOUR_MS);
  expect([await countPushes(phone), await countPushes(gone), await countPushes(lost)]).toEqual([2, 0, 0]);
});

test("does not follow a redirect of a push service", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);
  await pushes.respondNext(device.endpoint, { status: 307 });
  const before = await pushes.requestCount();

  await sendText(hanako, taro);
  await notify(service);

  expect(await pushes.requestCount()).toBe(before + 1);
  expect(await countPushes(device)).toBe(0);
});

test("stops notifying a device when it unsubscribes, its session ends or its member is deleted", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await taro.call(unsubscribePush, { endpoint: device.endpoint });
  await sendText(hanako, taro);
  await notify(service);
  expect(await countPushes(device)).toBe(0);

  await taro.call(subscribePush, device);
  await sendText(hanako, taro);
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
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const device = await subscribe(taro);

  await sendText(hanako, taro);
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
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const shared = await subscribe(taro);
  await hanako.call(subscribePush, shared);

  await sendText(hanako, taro);
  await notify(service);
  expect(await countPushes(shared)).toBe(0);

  await taro.call(unsubscribePush, { endpoint: shared.endpoint }); // no longer his device
  await sendText(taro, hanako);
  await notify(service);
  expect(await countPushes(shared)).toBe(1);
});

test("replaces the oldest device when there is one too many", async () => {
  const service = await serviceWithPushes();
  const { hanako, taro } = await hanakoAndTaro(service);
  const devices: Device[] = [];
  for (let i = 0; i <= PUSH_DEVICES_MAX; i++) {
    devices.push(await subscribe(taro));
    service.clock.advance(1);
  }

  await sendText(hanako, taro);
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
  const service = await serviceWithPushes();
  const taro = await service.member("taro");
  const device = await pushes.addDevice();

  for (const wrong of [
    { p256dh: Buffer.alloc(65, 4).toString("base64url") },
    { p256dh: "short" },
    { auth: Buffer.alloc(15).toString("base64url") },
  ])
    await expectError(taro.call(subscribePush, { ...device, ...wrong }), "invalid_input");
});
