import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { CHILD_ENV } from "./child-env.ts";

/** The controls as remote calls. */
export type Remote<Controls> = {
  [Name in keyof Controls]: Controls[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : never;
};

export interface ControlRequest {
  readonly id: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

export interface ControlResponse {
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: string;
}

/** A fake server in a child process. */
export interface ChildServer<Controls> {
  readonly origin: string;
  readonly controls: Remote<Controls>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function startChildServer<Controls>(
  program: string,
  start: object,
  names: readonly (keyof Controls & string)[],
): Promise<ChildServer<Controls>> {
  // Structured clone keeps `undefined`, which JSON drops.
  const env = { ...CHILD_ENV, START: JSON.stringify(start) };
  const child = fork(join(import.meta.dirname, program), { serialization: "advanced", env });
  const origin = `http://127.0.0.1:${await readPort(child)}`;
  const call = controlOf(child);
  const end = async (how: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    how();
    await ended;
  };
  return {
    origin,
    controls: Object.fromEntries(
      names.map((name) => [name, (...values: unknown[]) => call(name, values)]),
    ) as Remote<Controls>,
    kill: () => end(() => child.kill("SIGKILL")),
    close: () => end(() => child.disconnect()),
  };
}

/** Throws if the process ends first. */
export async function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(endedEarly(code)));
  });
}

function controlOf(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on("message", ({ id, value, problem }: ControlResponse) => {
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
    const response = Promise.withResolvers<unknown>();
    const id = ++last;
    waiting.set(id, response);
    child.send({ id, name, values } satisfies ControlRequest);
    return response.promise;
  };
}

function endedEarly(code: number | null): Error {
  return new Error(`the fake server ended with ${code}`);
}
