import type { ResponseOf, Call, InputOf } from "@alcove/contract/call";
import { sendDm } from "@alcove/contract/messaging";
import { OfflineError, ApiError } from "../lib/errors.ts";
import { type api } from "../lib/api.ts";
import type { Connection } from "./connection.ts";

/** What asking needs besides the connection, so that tests can stand in for it. */
export interface SocketCallDeps {
  /** The way of all other calls. */
  api: typeof api;
  isLocked(): boolean;
  language(): string;
}

/**
 * Makes what makes a call as `api` does, over a live connection where that may be: the call is `isLive`, the connection is
 * open, and no file is sent. Such a call is Offline while the app is locked.
 *
 * Whatever does not come through there is made by `api`, which renews tokens, forgets a session that is over and knows when
 * there is no way to the server. The server may have done it by then: a call is `isLive` only if it is harmless to repeat,
 * as our messages are by their `clientId` (`docs/decisions/0248`).
 */
export function callOverSocket(connection: Connection, world: SocketCallDeps): typeof api {
  return async <C extends Call>(call: C, input: InputOf<C>): Promise<ResponseOf<C>> => {
    // Not refused, as by `api`: what is to be sent waits until the app is open again.
    if (call.allowOverSocket && world.isLocked()) throw new OfflineError("the app is locked");
    const answer = mayBeLive(call, input)
      ? await connection.request({ call: call.name, lang: world.language(), input })
      : null;
    if (!answer || answer.status === 401 || answer.status >= 500) return world.api(call, input);
    if (answer.status >= 400)
      throw new ApiError(answer.status, answer.body as ConstructorParameters<typeof ApiError>[1]);
    // The server tells all others of a message; here its answer does.
    if (call.name === sendDm.name)
      connection.publish({ kind: "dm", dm: (answer.body as ResponseOf<typeof sendDm>).dm });
    return (answer.body ?? undefined) as ResponseOf<C>;
  };

  function mayBeLive(call: Call, input: object): boolean {
    return call.allowOverSocket && !Object.values(input).some((value) => value instanceof Blob);
  }
}
