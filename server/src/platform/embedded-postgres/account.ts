import { readFileSync } from "node:fs";
import { ConfigError } from "../../config.ts";

export type Account = { uid: number; gid: number };

export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;

  const accounts = new Map(
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const account = accounts.get("postgres") ?? accounts.get("nobody");
  if (!account) {
    throw new ConfigError(
      "PostgreSQL does not run as root, and there is no account postgres or nobody: set DATABASE_URL.",
    );
  }
  return account;
}
