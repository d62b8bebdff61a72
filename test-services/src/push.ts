import { type Remote, startStandIn } from "./start-child-server.ts";

/** What a browser hands over when it subscribes. */
export interface Device {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** How a push is answered; status 0 is no answer at all. */
export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** A push that was taken, as the device reads it. */
export interface Received {
  readonly endpoint: string;
  readonly text: string;
  /** The server's key that signed it. */
  readonly key: string;
  readonly ttl: string | undefined;
  readonly topic: string | undefined;
  readonly urgency: string | undefined;
}

/** What a test may do to the service, as the process itself does it. */
export interface Controls {
  /** A browser that has subscribed. */
  addDevice(): Device;
  /** Answers the next pushes to a device so, in place of 201. */
  answerNext(endpoint: string, ...replies: Reply[]): void;
  received(endpoint?: string): Received[];
  /** How many pushes came so far, however they were answered. */
  asked(): number;
}

/** A push service with its browsers, in a process of its own. */
export interface PushStandIn extends Remote<Controls> {
  readonly origin: string;
  /** The variables that let a server use this stand-in. */
  readonly variables: Record<string, string>;
  close(): Promise<void>;
}

/** Starts it on loopback. */
export async function startPushService(): Promise<PushStandIn> {
  const { origin, controls, close } = await startStandIn<Controls>(
    "push-server.ts",
    [],
    ["addDevice", "answerNext", "received", "asked"],
  );
  return { ...controls, origin, variables: { PUSH_LOCAL_ORIGIN: origin }, close };
}
