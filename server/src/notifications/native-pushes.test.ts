import { describe, expect, test } from "vitest";
import { deleteAccount, endSession, exportData, getSessions, logOut } from "@alcove/contract/accounts";
import { getNotifications, subscribeNativePush, unsubscribeNativePush } from "@alcove/contract/notifications";
import { allTranslations } from "@alcove/i18n/all";
import type { NativeReply } from "@alcove/test-services/native-push";
import { readZip } from "@alcove/test-services/zip";
import { openSession } from "../accounts/index.ts";
import { createApnsSender } from "../integrations/push/apns.ts";
import { createFcmSender } from "../integrations/push/fcm.ts";
import { createPushSender } from "../integrations/push/push-sender.ts";
import { MINUTE_MS } from "../platform/clock.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fakeNativePushForFile, notify, notifyAfter, sendText } from "../testing/pushes.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";

const { services, config, serviceWithNativePush } = await fakeNativePushForFile();
const MESSAGE = { title: "Alcove", body: "You have something new.", language: "en" };

const GONE: Record<"fcm" | "apns", NativeReply[]> = {
  fcm: [
    { status: 404, body: { error: { details: [{ errorCode: "UNREGISTERED" }] } } },
    { status: 403, body: { error: { details: [{ errorCode: "SENDER_ID_MISMATCH" }] } } },
    { status: 400, body: { error: { details: [{ fieldViolations: [{ field: "message.token" }] }] } } },
  ],
  apns: [
    { status: 410, body: { reason: "Unregistered" } },
    { status: 410, body: { reason: "ExpiredToken" } },
    { status: 400, body: { reason: "BadDeviceToken" } },
    { status: 400, body: { reason: "DeviceTokenNotForTopic" } },
  ],
};

const WRONG: Record<"fcm" | "apns", NativeReply[]> = {
  fcm: [
    { status: 404, body: { error: { status: "NOT_FOUND" } } },
    { status: 400, body: { error: { details: [{ errorCode: "INVALID_ARGUMENT" }] } } },
    { status: 403, body: {} },
  ],
  apns: [
    { status: 403, body: { reason: "InvalidProviderToken" } },
    { status: 400, body: { reason: "BadTopic" } },
    { status: 413, body: {} },
  ],
};

async function storedDevices(service: TestService): Promise<number> {
  const [subscriptions, endpoints] = await Promise.all([
    service.db.selectFrom("push_subscriptions").select("member_no").execute(),
    service.db.selectFrom("push_endpoints").select("member_no").execute(),
  ]);
  expect(endpoints).toHaveLength(subscriptions.length);
  return subscriptions.length;
}

describe.each(["fcm", "apns"] as const)("%s", (name) => {
  const fake = services[name];
  const pushesTo = async (device: string) => (await fake.received()).filter((push) => push.device === device);
  async function subscribe(member: TestMember, language?: string): Promise<string> {
    const token = await fake.addDevice();
    await member.call(subscribeNativePush, { service: name, token }, language);
    return token;
  }

  test("sends a push without names in the language of the app, and deletes an app that is gone", async () => {
    const service = await serviceWithNativePush();
    const { hanako, taro } = await hanakoAndTaro(service);
    const device = await subscribe(taro, "zh-hant");

    await sendText(hanako, taro, "Meet me at the river");
    await notify(service);

    const [push, ...more] = await pushesTo(device);
    expect(more).toEqual([]);
    expect(push).toMatchObject({
      title: "Alcove",
      body: allTranslations["zh-hant"].notifications.somethingNew,
      options:
        name === "fcm"
          ? { priority: "HIGH", ttl: "86400s", collapse_key: "new", channel_id: "news", tag: "new" }
          : { priority: "10", collapse_id: "new", sound: "default", expiration: expect.any(String) },
    });

    await fake.respondNext(device, GONE[name][0]!);
    await sendText(hanako, taro);
    await notifyAfter(service, 6 * MINUTE_MS);
    expect(await storedDevices(service)).toBe(0);
  });

  test("deletes a device that is gone, but not after a wrong request of ours", async () => {
    const service = await serviceWithNativePush();
    const push = createPushSender(service.ctx);
    const token = await fake.addDevice();
    const resultsOf = async (replies: readonly NativeReply[]) => {
      await fake.respondNext(token, ...replies);
      const results: string[] = [];
      for (const _ of replies) results.push((await push.send({ service: name, token }, MESSAGE)).kind);
      return new Set(results);
    };

    expect(await resultsOf(GONE[name])).toEqual(new Set(["gone"]));
    expect(await resultsOf(WRONG[name])).toEqual(new Set(["rejected"]));
    push.close();
  });

  test("retries at the requested time when the service is busy", async () => {
    const service = await serviceWithNativePush();
    const { hanako, taro } = await hanakoAndTaro(service);
    const device = await subscribe(taro);
    await fake.respondNext(device, { status: 429, headers: { "retry-after": "600" } }, { status: 503 });

    await sendText(hanako, taro);
    await notify(service);
    await notifyAfter(service, 9 * MINUTE_MS);
    expect(await pushesTo(device)).toEqual([]);

    await notifyAfter(service, MINUTE_MS); // 503
    await notifyAfter(service, MINUTE_MS);
    expect(await pushesTo(device)).toHaveLength(1);
  });

  test("shares one token among pushes, and renews it in time and after a rejection", async () => {
    const service = await serviceWithNativePush();
    const push = createPushSender(service.ctx);
    const devices = await Promise.all(Array.from({ length: 20 }, () => fake.addDevice()));
    const before = await fake.tokenCount();
    const sendAll = async () =>
      Promise.all(devices.map((token) => push.send({ service: name, token }, MESSAGE)));
    const tokensUsed = async () => (await fake.tokenCount()) - before;

    await sendAll();
    expect(await tokensUsed()).toBe(1);

    service.clock.advance(56 * MINUTE_MS);
    await sendAll();
    expect(await tokensUsed()).toBe(2);

    await fake.rejectTokens();
    expect(await sendAll()).toEqual(devices.map(() => ({ kind: "sent" })));
    expect(await tokensUsed()).toBe(3);
    push.close();
  });

  test("retries later when the service stays silent, or breaks", async () => {
    const service = await serviceWithNativePush();
    const apns = createApnsSender(config.apns!, service.ctx, 300);
    const sender = name === "fcm" ? createFcmSender(config.fcm!, service.ctx, 300) : apns;
    const device = await fake.addDevice();

    await fake.breakNext(1);
    expect(await sender.send(device, MESSAGE)).toEqual({ kind: "retry", afterMs: null });
    await fake.respondNext(device, { status: 0 });
    expect(await sender.send(device, MESSAGE)).toEqual({ kind: "retry", afterMs: null });
    expect(await sender.send(device, MESSAGE)).toEqual({ kind: "sent" });
    apns.close();
  });

  test("replaces the token of a session, and forgets it at unsubscription, logout and another owner", async () => {
    const service = await serviceWithNativePush();
    const { hanako, taro } = await hanakoAndTaro(service);

    const [old, current] = [await subscribe(taro), await subscribe(taro)];
    await sendText(hanako, taro);
    await notify(service);
    expect([await pushesTo(old), await pushesTo(current)].map(({ length }) => length)).toEqual([0, 1]);

    await hanako.call(subscribeNativePush, { service: name, token: current });
    await taro.call(unsubscribeNativePush, { service: name, token: current }); // no longer his
    expect(await storedDevices(service)).toBe(1);
    await hanako.call(unsubscribeNativePush, { service: name, token: current });
    expect(await storedDevices(service)).toBe(0);

    const last = await subscribe(taro);
    await sendText(hanako, taro);
    await taro.call(logOut, { token: taro.refresh });
    await notifyAfter(service, 6 * MINUTE_MS);
    expect(await pushesTo(last)).toEqual([]);
    await eventually(async () => expect(await storedDevices(service)).toBe(0));
  });

  test("forgets the token when another device of the member ends the session", async () => {
    const service = await serviceWithNativePush();
    const { hanako, taro } = await hanakoAndTaro(service);
    const browser = service.memberAt({ ...taro, ...(await openSession(service.ctx, taro.memberId)) });
    const token = await subscribe(taro);
    const { sessions } = await browser.call(getSessions, {});

    await browser.call(endSession, { sessionId: sessions.find(({ current }) => !current)!.id });
    await eventually(async () => expect(await storedDevices(service)).toBe(0));
    await sendText(hanako, taro);
    await notify(service);

    expect(await pushesTo(token)).toEqual([]);
  });

  test("exports the app without its token, and deletes it with the account", async () => {
    const service = await serviceWithNativePush();
    const taro = await service.member("taro");
    const token = await subscribe(taro, "ja");

    const response = await taro.fetch(`/en${exportData.path}`);
    const files = await readZip(new Uint8Array(await response.arrayBuffer()));
    const text = files.get("data.json")!.toString();
    expect(JSON.parse(text)).toMatchObject({
      notifications: { devices: [{ language: "ja", since: expect.any(String) }] },
    });
    expect(text).not.toContain(token);
    await taro.call(deleteAccount, {});

    expect(await storedDevices(service)).toBe(0);
  });

  test("is off while it is not configured", async () => {
    const other = name === "fcm" ? "apns" : "fcm";
    const service = await serviceForTest({ config: { [name]: null, [other]: config[other] } });
    const taro = await service.member("taro");
    const token = await fake.addDevice();

    expect((await taro.call(getNotifications, {})).native_push).toEqual([other]);
    await expectError(taro.call(subscribeNativePush, { service: name, token }), "not_found");
  });
});

test("rejects malformed tokens", async () => {
  const service = await serviceWithNativePush();
  const taro = await service.member("taro");

  for (const [name, token] of [
    ["fcm", "short"],
    ["fcm", "spaces and/slashes of some length"],
    ["apns", "../../3/device/".padEnd(64, "a")],
    ["apns", "abc"],
  ] as const) {
    const failure = await expectError(
      taro.call(subscribeNativePush, { service: name, token }),
      "invalid_input",
    );
    expect(failure.body["validation_errors"]).toEqual({ token: ["invalid"] });
  }
});
