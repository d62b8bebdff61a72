import { type Remote, startChildServer } from "./start-child-server.ts";

export interface Device {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Status 0 never responds. */
export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

export interface Received {
  readonly endpoint: string;
  readonly text: string;
  readonly key: string;
  readonly ttl: string | undefined;
  readonly topic: string | undefined;
  readonly urgency: string | undefined;
}

export interface Controls {
  addDevice(): Device;
  /** Responds to the next pushes of a device instead of 201. */
  respondNext(endpoint: string, ...replies: Reply[]): void;
  received(endpoint?: string): Received[];
  requestCount(): number;
}

/** A fake push service with its browsers, in a child process. */
export interface FakePushService extends Remote<Controls> {
  readonly origin: string;
  readonly variables: Record<string, string>;
  close(): Promise<void>;
}

export async function startPushService(): Promise<FakePushService> {
  const { origin, controls, close } = await startChildServer<Controls>("push-server.ts", {}, [
    "addDevice",
    "respondNext",
    "received",
    "requestCount",
  ]);
  return { ...controls, origin, variables: { PUSH_LOCAL_ORIGIN: origin }, close };
}
