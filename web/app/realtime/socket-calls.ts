import type { ResponseOf, Call, InputOf } from "@alcove/contract/call";
import { sendDm } from "@alcove/contract/messaging";
import { Offline, Refused, type api } from "../lib/api.ts";
import type { LiveConnection } from "./connection.ts";

/** What asking needs besides the connection, so that tests can stand in for it. */
export interface AskWorld {
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
export function askOver(connection: LiveConnection, world: AskWorld): typeof api {
  return async <C extends Call>(call: C, input: InputOf<C>): Promise<ResponseOf<C>> => {
    // Not refused, as by `api`: what is to be sent waits until the app is open again.
    if (call.allowOverSocket && world.isLocked()) throw new Offline("the app is locked");
    const answer = mayBeLive(call, input)
      ? await connection.ask({ call: call.name, lang: world.language(), input })
      : null;
    if (!answer || answer.status === 401 || answer.status >= 500) return world.api(call, input);
    if (answer.status >= 400)
      throw new Refused(answer.status, answer.body as ConstructorParameters<typeof Refused>[1]);
    // The server tells all others of a message; here its answer does.
    if (call.name === sendDm.name)
      connection.tell({ kind: "dm", dm: (answer.body as ResponseOf<typeof sendDm>).dm });
    return (answer.body ?? undefined) as ResponseOf<C>;
  };

  function mayBeLive(call: Call, input: object): boolean {
    return call.allowOverSocket && !Object.values(input).some((value) => value instanceof Blob);
  }
}
