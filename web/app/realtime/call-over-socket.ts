import type { InputOf, ResponseOf, Route } from "@alcove/contract/call";
import { routes } from "@alcove/contract/routes";
import type { api } from "../lib/api/api.ts";
import { ApiError, OfflineError, type ErrorBody } from "../lib/api/errors.ts";
import type { SendCallOptions } from "../lib/api/send-call.ts";
import type { Connection } from "./connection.ts";

export interface SocketCallDeps {
  api: typeof api;
  isLocked(): boolean;
  language(): string;
  /** Runs the listener if the member leaves the page. Returns a function that removes it. */
  onLeave(listener: () => void): () => void;
}

/**
 * Returns a function that makes calls like `api`, but over the socket where the contract allows it.
 *
 * Without a usable response `api` repeats the call, so the contract allows only calls that are safe to repeat. While the
 * app is locked they throw `OfflineError`, so that messages wait.
 *
 * The browser may drop a frame when the member leaves the page, so `api` repeats a pending call with `keepalive`.
 */
export function callOverSocket(connection: Connection, deps: SocketCallDeps): typeof api {
  const overSocket = async <R extends Route>(call: R, input: InputOf<R>) => {
    const stopListening = call.keepalive
      ? deps.onLeave(() => void deps.api(call, input).catch(() => undefined))
      : () => undefined;
    try {
      return await connection.request({ call: call.name, lang: deps.language(), input });
    } finally {
      stopListening();
    }
  };

  return async <R extends Route>(
    call: R,
    input: InputOf<R>,
    options?: SendCallOptions,
  ): Promise<ResponseOf<R>> => {
    if (call.allowOverSocket && deps.isLocked()) throw new OfflineError("the app is locked");
    const response = canUseSocket(call, input) ? await overSocket(call, input) : null;
    if (!response || response.status === 401 || response.status >= 500) return deps.api(call, input, options);
    if (response.status >= 400) throw new ApiError(response.status, response.body as ErrorBody);
    // The server sends a message's event to all other sockets; for this one the response takes its place.
    if (call.name === routes.sendDm.name)
      connection.publish({ kind: "dm", dm: (response.body as ResponseOf<typeof routes.sendDm>).dm });
    return (response.body ?? undefined) as ResponseOf<R>;
  };
}

function canUseSocket(call: Route, input: object): boolean {
  return call.allowOverSocket && !Object.values(input).some((value) => value instanceof Blob);
}
