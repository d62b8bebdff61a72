import type { Dm, Quote } from "@alcove/contract/messaging";
import { routes } from "@alcove/contract/routes";
import type { api } from "../../../lib/api/api.ts";
import type { SendCallOptions } from "../../../lib/api/send-call.ts";
import { upload } from "../../../lib/api/upload.ts";

export interface MessageContent {
  /** The server stores a message once per `clientId`, however often it is sent. */
  readonly clientId: string;
  readonly text: string | null;
  readonly file: File | null;
  /** The quoted message. */
  readonly reply: Quote | null;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** The sent part of an image, from 0 to 1. */
  onProgress(part: number): void;
}

export interface Transport {
  /** @throws ApiError, OfflineError */
  send(receiverId: string, message: MessageContent, options: SendOptions): Promise<Dm>;
}

/** Also announces each stored message. */
export function createTransport(call: typeof api, announce: (dmId: string) => void): Transport {
  return {
    async send(receiverId, { clientId, text, file, reply }, { signal, onProgress }) {
      const input = {
        receiverId,
        clientId,
        ...(text === null ? {} : { description: text }),
        ...(file === null ? {} : { file }),
        ...(reply === null ? {} : { replyId: reply.id }),
      };
      const options: SendCallOptions =
        file === null ? {} : { signal, send: (url, request) => upload(url, request, onProgress) };
      const { dm } = await call(routes.sendDm, input, options);
      announce(dm.id);
      return dm;
    },
  };
}
