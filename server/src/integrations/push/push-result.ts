import { SECOND_MS } from "../../platform/clock.ts";

/** `gone`: the device no longer exists. `rejected`: a retry will not help. */
export type PushResult =
  | { readonly kind: "sent" | "gone" | "rejected" }
  | { readonly kind: "retry"; readonly afterMs: number | null };

export interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly language: string;
}

export const PUSH_TIMEOUT_MS = 10 * SECOND_MS;
export const PUSH_LIFETIME_SECONDS = 24 * 60 * 60;
/** A later push with the same topic replaces the previous one on the device. */
export const PUSH_TOPIC = "new";

export function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}

export function retryAfter(header: string | null | undefined): PushResult {
  return { kind: "retry", afterMs: header ? delayMs(header) : null };
}

function delayMs(header: string): number | null {
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
