import { ApiError } from "../../../lib/api/errors.ts";

/**
 * - `loading`: the first page is on its way.
 * - `failed`: the first page could not be fetched.
 * - `live`: the history is complete and events keep it so.
 * - `catchingUp`: missed messages are being fetched.
 * - `offline`: missed messages could not be fetched; the next reconnect repeats it.
 * - `lost`: the conversation no longer exists.
 */
export type ConversationStatus = "loading" | "failed" | "live" | "catchingUp" | "offline" | "lost";

type Transition = "fetch" | "load" | "finish" | "fail" | "lose";

/** A transition without an entry leaves the status as it is: nothing leads out of `lost`. */
const TRANSITIONS: Record<ConversationStatus, Partial<Record<Transition, ConversationStatus>>> = {
  loading: { load: "live", fail: "failed", lose: "lost" },
  failed: { load: "live", lose: "lost" },
  live: { fetch: "catchingUp", fail: "offline", lose: "lost" },
  catchingUp: { finish: "live", fail: "offline", lose: "lost" },
  offline: { fetch: "catchingUp", lose: "lost" },
  lost: {},
};

export function nextStatus(status: ConversationStatus, transition: Transition): ConversationStatus {
  return TRANSITIONS[status][transition] ?? status;
}

export function hasHistory(status: ConversationStatus): boolean {
  return status === "live" || status === "catchingUp" || status === "offline";
}

export function isConversationGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === "conversation_not_found";
}
