import { expect, test } from "vitest";
import { saveSessions } from "@alcove/contract/accounts";
import { passUser } from "@alcove/contract/discovery";
import { getNotifications, saveNotifications, sawNews } from "@alcove/contract/notifications";
import { saveFilter, saveVisibility } from "@alcove/contract/profiles";
import type { Device } from "@alcove/test-services/push";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { fakePushServiceForFile, notify } from "../testing/pushes.ts";
import { expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { lookForSomebodyNew } from "./somebody-new.ts";

const { serviceWithPushes, subscribe, countPushes } = await fakePushServiceForFile();

const STEP_HOURS = 8;
const woman = { sex: "female", search_sex: "male" } as const;

/** Taro has nobody left, and wants to know when that changes. */
async function start(): Promise<{ service: TestService; taro: TestMember; device: Device }> {
  const service = await serviceWithPushes();
  service.clock.set("2030-03-01T12:00:00Z");
  const taro = await service.member("taro", { sex: "male", search_sex: "female" });
  const device = await subscribe(taro);
  await taro.call(saveSessions, { tells_new_devices: false });
  await taro.call(saveNotifications, { somebody_new: true });
  await look(service);
  return { service, taro, device };
}

async function look(service: TestService): Promise<void> {
  await lookForSomebodyNew(service.ctx);
  await notify(service);
}

/** Returns after how many hours the device got a push. */
async function hoursUntilPush(service: TestService, device: Device, days: number): Promise<number | null> {
  const [before, from] = [await countPushes(device), service.clock.now().getTime()];
  for (let hour = 0; hour < days * 24; hour += STEP_HOURS) {
    service.clock.advance(STEP_HOURS * HOUR_MS);
    await look(service);
    if ((await countPushes(device)) > before) return (service.clock.now().getTime() - from) / HOUR_MS;
  }
  return null;
}

test("notifies once, one to seven days after somebody came", async () => {
  const { service, device } = await start();
  expect(await hoursUntilPush(service, device, 2)).toBeNull();

  await service.member("hanako", woman);
  const hours = await hoursUntilPush(service, device, 8);
  await service.member("yuki", woman);

  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(7 * 24 + STEP_HOURS + 1);
  // Hanako waits unseen: nobody is new for a member who has somebody left.
  expect(await hoursUntilPush(service, device, 9)).toBeNull();
});

test("notifies at most once a week, and no sooner after the switch was off and on again", async () => {
  const { service, taro: member, device } = await start();
  await service.member("hanako", woman);
  expect(await hoursUntilPush(service, device, 8)).not.toBeNull();
  const taro = await logInAgain(service, member);
  await taro.call(passUser, { unlikedId: "hanako" });
  await taro.call(saveNotifications, { somebody_new: false });
  await taro.call(saveNotifications, { somebody_new: true });
  await service.member("yuki", woman);
  const again = await logInAgain(service, taro);
  await again.call(sawNews, {});

  expect(await hoursUntilPush(service, device, 6.9)).toBeNull();
});

test("forgets a found member when the filter changes", async () => {
  const { service, taro: member, device } = await start();
  await service.member("hanako", woman);
  service.clock.advance(DAY_MS);
  await look(service);
  expect(await service.db.selectFrom("notification_preferences").select("look_state").execute()).toEqual([
    { look_state: "found" },
  ]);

  const taro = await logInAgain(service, member);
  await taro.call(saveFilter, { search_max_age: 100 });
  expect(await hoursUntilPush(service, device, 9)).toBeNull();
  expect((await (await logInAgain(service, taro)).call(getNotifications, {})).somebody_new).toBe(true);
});

test("sends nothing if that member paused, or the app was opened since", async () => {
  const { service, taro: member, device } = await start();
  const found = async () => {
    // A look follows a day after the last one, rounded up to the hour.
    service.clock.advance(DAY_MS + HOUR_MS);
    await look(service);
  };
  const hanako = await service.member("hanako", woman);
  await found();
  await (await logInAgain(service, hanako)).call(saveVisibility, { paused: true });
  expect(await hoursUntilPush(service, device, 8)).toBeNull();

  await service.member("yuki", woman);
  await found();
  await (await logInAgain(service, member)).call(sawNews, {});
  expect(await hoursUntilPush(service, device, 8)).toBeNull();
});

test("saves the given preferences only, and rejects a quiet time without length", async () => {
  const { service, taro } = await start();
  await taro.call(saveNotifications, { quiet_hours: true, quiet_from: "23:00" });
  await taro.call(saveNotifications, { push_asked: true });

  expect(await taro.call(getNotifications, {})).toMatchObject({
    push: true,
    digest: false,
    quiet_hours: true,
    quiet_from: "23:00",
    quiet_to: "07:00",
    somebody_new: true,
    push_asked: true,
  });
  await expectError(taro.call(saveNotifications, { quiet_to: "23:00" }), "invalid_input");
  const body = new URLSearchParams({ somebody_new: "no" });
  const response = await taro.fetch("/en/users/api/notifications", { method: "PATCH", body });
  expect(response.status).toBe(204);
  expect((await taro.call(getNotifications, {})).somebody_new).toBe(false);
  expect(await service.db.selectFrom("notification_preferences").select("look_state").execute()).toEqual([
    { look_state: null },
  ]);
});
