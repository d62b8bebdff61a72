import { expect, test } from "vitest";
import { logIn, refreshTokens } from "@alcove/contract/accounts";
import { getNotifications } from "@alcove/contract/notifications";
import { fakePushServiceForFile } from "../../testing/pushes.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";

const { withPushes, subscribe } = await fakePushServiceForFile();

test("follows the language chosen on a device, and the zone of the one in use, of our app only", async () => {
  const service = await serviceForTest(withPushes);
  const hanako = await service.member("hanako", { at: null });
  await subscribe(hanako);
  const visit = (language: string, zone?: string) =>
    hanako.fetch(`/${language}/users/api/user`, { headers: zone === undefined ? {} : { "time-zone": zone } });
  const known = async () => {
    const { time_zone } = await hanako.call(getNotifications, {});
    const { language } = await service.db.selectFrom("members").select("language").executeTakeFirstOrThrow();
    const push = await service.db
      .selectFrom("push_subscriptions")
      .select("language")
      .executeTakeFirstOrThrow();
    return [language, push.language, time_zone];
  };
  expect(await known()).toEqual(["en", "en", null]);

  for (const [language, zone, followed] of [
    ["ja", "Asia/Tokyo", ["ja", "ja", "Asia/Tokyo"]],
    ["ja", "Europe/Berlin", ["ja", "ja", "Europe/Berlin"]],
    ["zh-hant", "Asia/Taipei", ["zh-hant", "zh-hant", "Asia/Taipei"]],
    ["en", undefined, ["zh-hant", "zh-hant", "Asia/Taipei"]],
    ["en", "Mars/Phobos", ["zh-hant", "zh-hant", "Asia/Taipei"]],
    ["en", "UTC", ["en", "en", "UTC"]],
  ] as const) {
    await visit(language, zone);
    expect([language, zone, await known()]).toEqual([language, zone, followed]);
  }
});

test("takes the language of the last login or choice, whichever is later, of several devices", async () => {
  const service = await serviceForTest();
  const password = "quiet-evenings-7";
  const hanako = await service.member("hanako", { at: null, password });
  const known = async () =>
    (await service.db.selectFrom("members").select("language").executeTakeFirstOrThrow()).language;
  const logInAs = async (language: string) => {
    const tokens = await service.call(logIn, { user_id: "hanako", password }, language);
    const device = service.memberAt({ ...hanako, ...tokens });
    return (visited: string) =>
      device.fetch(`/${visited}/users/api/user`, { headers: { "time-zone": "UTC" } });
  };

  const phone = await logInAs("ja");
  expect(await known()).toBe("ja");
  const laptop = await logInAs("zh-hant");
  expect(await known()).toBe("zh-hant");
  await phone("ja");
  expect(await known()).toBe("zh-hant");
  await phone("en");
  expect(await known()).toBe("en");
  await laptop("zh-hant");
  expect(await known()).toBe("en");
  await laptop("zh-hans");
  await phone("en");
  expect(await known()).toBe("zh-hans");
});

test("follows thirty choices of a language an hour", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  const hanako = await service.member("hanako", { at: null });
  const visit = async (language: string) => {
    const { status } = await hanako.fetch(`/${language}/users/api/user`, { headers: { "time-zone": "UTC" } });
    const known = await service.db.selectFrom("members").select("language").executeTakeFirstOrThrow();
    return [status, known.language];
  };
  for (let i = 0; i < 15; i++) for (const language of ["ja", "en"]) await visit(language);

  expect(await visit("ja")).toEqual([200, "en"]);
  service.clock.advance(HOUR_MS);
  const renewed = await service.call(refreshTokens, { refresh: hanako.refresh });
  const again = service.memberAt({ ...hanako, ...renewed });
  await again.fetch("/ja/users/api/user", { headers: { "time-zone": "UTC" } });
  const known = await service.db.selectFrom("members").select("language").executeTakeFirstOrThrow();
  expect(known.language).toBe("ja");
});
