import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { COMPILE_CACHE_ENV } from "@alcove/test-services/compile-cache";
import type { TestService } from "./test-service.ts";

interface Ending {
  code: number;
  out: string;
  problems: string;
}

const PROGRAM = join(import.meta.dirname, "../operator/cli/main.ts");

export function startOperator(env: Record<string, string>, ...args: string[]) {
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...COMPILE_CACHE_ENV, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export async function operator(env: Record<string, string>, ...args: string[]): Promise<Ending> {
  return operatorReading("", env, ...args);
}

export async function operatorReading(
  input: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<Ending> {
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
