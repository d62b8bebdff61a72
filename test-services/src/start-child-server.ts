import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { COMPILED } from "./compile-cache.ts";

/** What may be done to a stand-in, once its process has done it. */
export type Remote<Controls> = {
  [Name in keyof Controls]: Controls[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : never;
};

/** A message to a stand-in's process, which answers it under the same id. */
export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

export interface Answered {
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: string;
}

/** A stand-in for what is far away, in a process of its own. */
export interface StandIn<Controls> {
  readonly origin: string;
  readonly controls: Remote<Controls>;
  /** Ends the process at once. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a program of this folder on loopback, and waits until it listens. */
export async function startStandIn<Controls>(
  program: string,
  args: readonly string[],
  names: readonly (keyof Controls & string)[],
): Promise<StandIn<Controls>> {
  // What is to be left out of an answer is `undefined`, which JSON would lose on the way.
  const env = { ...process.env, ...COMPILED };
  const child = fork(join(import.meta.dirname, program), args, { serialization: "advanced", env });
  const origin = `http://127.0.0.1:${await portOf(child)}`;
  const tell = controlOf(child);
  const end = async (how: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    how();
    await ended;
  };
  return {
    origin,
    controls: Object.fromEntries(
      names.map((name) => [name, (...values: unknown[]) => tell(name, values)]),
    ) as Remote<Controls>,
    kill: () => end(() => child.kill("SIGKILL")),
    close: () => end(() => child.disconnect()),
  };
}

/** The port that a process says it listens on; throws when it ends before. */
export async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(endedEarly(code)));
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
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(endedEarly(code));
    waiting.clear();
  });
  return (name: string, values: readonly unknown[]): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    const id = ++last;
    waiting.set(id, answer);
    child.send({ id, name, values } satisfies Asked);
    return answer.promise;
  };
}

function endedEarly(code: number | null): Error {
  return new Error(`the stand-in ended with ${code}`);
}
