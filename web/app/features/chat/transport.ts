import type { Dm } from "@alcove/contract/messaging";
import { routes } from "@alcove/contract/routes";
import type { api } from "../../lib/api.ts";

export interface MessageContent {
  /** The server stores a message once per `clientId`, however often it is sent. */
  readonly clientId: string;
  readonly text: string | null;
  readonly file: File | null;
}

export interface Transport {
  /** @throws ApiError, OfflineError */
  send(receiverId: string, message: MessageContent): Promise<Dm>;
}

/** Also announces each stored message. */
export function createTransport(call: typeof api, announce: (dmId: string) => void): Transport {
  return {
    async send(receiverId, { clientId, text, file }) {
      const { dm } = await call(routes.sendDm, {
        receiverId,
        clientId,
        ...(text === null ? {} : { description: text }),
        ...(file === null ? {} : { file }),
      });
      announce(dm.id);
      return dm;
    },
  };
}
