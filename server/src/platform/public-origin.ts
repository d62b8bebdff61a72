import type { Config } from "../config.ts";

export function publicOrigin({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host}:${port}`;
}
