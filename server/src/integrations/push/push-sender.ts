import type { Config } from "../../config.ts";
import type { AppContext } from "../../platform/context.ts";
import { createApnsSender } from "./apns.ts";
import { createFcmSender } from "./fcm.ts";
import type { PushMessage, PushResult } from "./push-result.ts";
import { createWebPushSender, type PushSubscription } from "./web-push.ts";

export interface NativeDevice {
  readonly service: "fcm" | "apns";
  readonly token: string;
}

export type PushTarget = PushSubscription | NativeDevice;

export interface PushSender {
  send(to: PushTarget, message: PushMessage): Promise<PushResult>;
  close(): void;
}

export function nativeServices({ fcm, apns }: Config): NativeDevice["service"][] {
  return [fcm && ("fcm" as const), apns && ("apns" as const)].filter((each) => each !== null);
}

export function createPushSender({
  config,
  secrets,
  clock,
  log,
}: Pick<AppContext, "config" | "secrets" | "clock" | "log">): PushSender {
  const sendToBrowser = createWebPushSender(config, secrets);
  const fcm = config.fcm && createFcmSender(config.fcm, { clock, log });
  const apns = config.apns && createApnsSender(config.apns, { clock, log });
  return {
    async send(to, message) {
      if (!("service" in to)) return sendToBrowser(to, message);
      const sender = to.service === "fcm" ? fcm : apns;
      return sender ? sender.send(to.token, message) : { kind: "rejected" };
    },
    close: () => apns?.close(),
  };
}
