import type { Config } from "../config.ts";

/** Of links in emails. */
export function publicOrigin({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host}:${port}`;
}
