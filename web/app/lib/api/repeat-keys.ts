import { BOT_CHECK_FIELD, type Call, type InputOf } from "@alcove/contract/call";
import { ApiError, OfflineError } from "./errors.ts";

interface Action {
  readonly call: Call;
  readonly input: object;
  readonly key: string;
  readonly at: number;
}

/** The last action, if its response was lost. */
let lost: Action | null = null;

/** Later, another device may have reversed the change. */
const REPEATED_MS = 5 * 60_000;

/** Frequent, and harmless to repeat. */
const WITHOUT_KEY = new Set(["readDm", "showTyping"]);

/**
 * Sends a change with the `Idempotency-Key` of its action: a new one, unless the response of the same action was just lost.
 * Another change in between makes it a new action, which must not get the old response.
 */
export async function withKey<C extends Call, Response>(
  call: C,
  input: InputOf<C>,
  send: (key: string | null) => Promise<Response>,
): Promise<Response> {
  if (call.method === "GET" || WITHOUT_KEY.has(call.name) || "clientId" in input) return send(null);
  const key = lost && isSame(lost, call, input) ? lost.key : crypto.randomUUID();
  lost = null;
  try {
    return await send(key);
  } catch (error) {
    if (isUnclear(error)) remember({ call, input, key, at: Date.now() });
    throw error;
  }
}

/** The input may hold a password. The timer rests while the device sleeps, so the time counts too. */
function remember(action: Action): void {
  lost = action;
  setTimeout(() => {
    if (lost === action) lost = null;
  }, REPEATED_MS);
}

/** A file is the same only as the same object. Each attempt solves a bot check of its own. */
function isSame(action: Action, call: Call, input: object): boolean {
  const [before, now] = [action.input, input].map((fields) => {
    const compared = new Map<string, unknown>(Object.entries(fields));
    compared.delete(BOT_CHECK_FIELD);
    return compared;
  });
  if (action.call !== call || before!.size !== now!.size) return false;
  if (Date.now() - action.at >= REPEATED_MS) return false;
  return [...now!].every(([name, value]) => before!.has(name) && before!.get(name) === value);
}

function isUnclear(error: unknown): boolean {
  if (error instanceof OfflineError) return true;
  return error instanceof ApiError && (error.status >= 500 || error.code === "idempotency_key_in_use");
}
