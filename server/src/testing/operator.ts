import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CHILD_ENV } from "@alcove/test-services/child-env";
import { runCommand } from "../operator/cli/run-command.ts";
import type { TestService } from "./test-service.ts";

const PROGRAM = join(import.meta.dirname, "../operator/cli/main.ts");

export function startOperator(env: Record<string, string>, ...args: string[]) {
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...CHILD_ENV, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs a command in this process. */
export const operator = (env: Record<string, string>, ...args: string[]) => runCommand(args, env);

/** Runs a command as a process with this standard input. */
export async function operatorReading(input: string, env: Record<string, string>, ...args: string[]) {
  const child = startOperator(env, ...args);
  child.stdin.end(input);
  const [out, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: code as number, out, problems };
}

export const environmentOf = (service: Pick<TestService, "databaseUrl" | "dataDir">) => ({
  DATABASE_URL: service.databaseUrl,
  DATA_DIR: service.dataDir,
});
