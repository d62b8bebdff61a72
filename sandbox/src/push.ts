import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

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

/** The same, once the process has done it. */
type Remote = {
  [Name in keyof Controls]: (...values: Parameters<Controls[Name]>) => Promise<ReturnType<Controls[Name]>>;
};

/** A message to the process, which answers it under the same id. */
export interface Asked {
  readonly id: number;
  readonly name: keyof Controls;
  readonly values: readonly unknown[];
}

interface Answered {
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: string;
}

/** A push service with its browsers, in a process of its own. */
export interface PushStandIn extends Remote {
  readonly origin: string;
  /** The variables that let a server use this stand-in. */
  readonly variables: Record<string, string>;
  close(): Promise<void>;
}

/** Starts it on loopback. */
export async function startPushService(): Promise<PushStandIn> {
  const child = fork(join(import.meta.dirname, "push-server.ts"), { serialization: "advanced" });
  const origin = `http://127.0.0.1:${await portOf(child)}`;
  const tell = controlOf(child);
  return {
    origin,
    variables: { PUSH_LOCAL_ORIGIN: origin },
    addDevice: (...values) => tell("addDevice", values),
    answerNext: (...values) => tell("answerNext", values),
    received: (...values) => tell("received", values),
    asked: (...values) => tell("asked", values),
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the stand-in for push services ended with ${code}`)));
  });
}

/** Makes what sends a message to the process and waits for its answer. */
function controlOf(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on("message", ({ id, value, problem }: Answered) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (problem === undefined) resolve(value);
    else reject(new Error(problem));
  });
  return <Name extends keyof Controls>(name: Name, values: Parameters<Controls[Name]>) => {
    const answer = Promise.withResolvers<unknown>();
    const id = ++last;
    waiting.set(id, answer);
    child.send({ id, name, values } satisfies Asked);
    return answer.promise as Promise<ReturnType<Controls[Name]>>;
  };
}
