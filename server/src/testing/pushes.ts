import { afterAll } from "vitest";
import { sendDm } from "@alcove/contract/messaging";
import { subscribePush } from "@alcove/contract/notifications";
import { startApns, startFcm } from "@alcove/test-services/native-push";
import { startPushService, type Device } from "@alcove/test-services/push";
import type { Config } from "../config.ts";
import { createPushSender } from "../integrations/push/push-sender.ts";
import { processOutbox } from "../notifications/outbox.ts";
import { sendNotifications } from "../notifications/send-notifications.ts";
import { ConfigReader } from "../platform/config-reader.ts";
import { readApns, readFcm } from "../integrations/push/config.ts";
import { SECOND_MS } from "../platform/clock.ts";
import { ownService } from "./service-for-test.ts";
import type { TestMember, TestService } from "./test-service.ts";

export const PREFERENCES = {
  push: true,
  quiet_hours: false,
  quiet_from: "22:00",
  quiet_to: "07:00",
  digest: false,
  somebody_new: false,
  push_asked: false,
};

/** Opens the app on a device whose clock shows this zone. */
export async function openFrom(zone: string, { fetch }: Pick<TestMember, "fetch">): Promise<void> {
  await fetch("/en/users/api/user", { headers: { "time-zone": zone } });
}

export async function fakePushServiceForFile() {
  const pushes = await startPushService();
  afterAll(() => pushes.close());
  const config: Partial<Config> = { pushLocalOrigin: pushes.origin };
  return {
    pushes,
    withPushes: { config },
    serviceWithPushes: () => serviceWithoutJobs({ config }),
    async subscribe(member: TestMember, language?: string): Promise<Device> {
      const device = await pushes.addDevice();
      await member.call(subscribePush, device, language);
      return device;
    },
    countPushes: async ({ endpoint }: Device) => (await pushes.received(endpoint)).length,
  };
}

export async function fakeNativePushForFile() {
  const [fcm, apns] = await Promise.all([startFcm(), startApns()]);
  afterAll(async () => void (await Promise.all([fcm.close(), apns.close()])));
  const read = new ConfigReader({ ...fcm.variables, ...apns.variables });
  const config: Pick<Config, "fcm" | "apns"> = { fcm: readFcm(read), apns: readApns(read) };
  return { services: { fcm, apns }, config, serviceWithNativePush: () => serviceWithoutJobs({ config }) };
}

/** The test sends the notifications: a busy server would take some of them at an unknown time. */
async function serviceWithoutJobs(options: Parameters<typeof ownService>[0]): Promise<TestService> {
  const service = await ownService(options);
  await service.ctx.jobs.stop();
  return service;
}

export async function notifyAfter(service: TestService, ms: number): Promise<void> {
  await processOutbox(service.ctx);
  service.clock.advance(ms);
  const push = createPushSender(service.ctx);
  await sendNotifications(service.ctx, push);
  push.close();
}

export function notify(service: TestService): Promise<void> {
  return notifyAfter(service, 15 * SECOND_MS);
}

export function sendText(from: TestMember, to: TestMember, description = "Good evening") {
  return from.call(sendDm, { receiverId: to.user_id, description });
}
