import { type Dm, type Quote, sendDm } from "@alcove/contract/messaging";
import type { api } from "../../../lib/api/api.ts";
import { OfflineError } from "../../../lib/api/errors.ts";
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

interface TransportDeps {
  readonly call: typeof api;
  announce(dmId: string): void;
  isLocked(): boolean;
}

/** A text without a response may be on a dead connection. */
const TEXT_TIMEOUT_MS = 15_000;

/** Also announces each stored message. While the app is locked, messages wait as without a connection. */
export function createTransport({ call, announce, isLocked }: TransportDeps): Transport {
  return {
    async send(receiverId, { clientId, text, file, reply }, { signal, onProgress }) {
      if (isLocked()) throw new OfflineError("the app is locked");
      const input = {
        receiverId,
        clientId,
        ...(text === null ? {} : { description: text }),
        ...(file === null ? {} : { file }),
        ...(reply === null ? {} : { replyId: reply.id }),
      };
      const options: SendCallOptions =
        file === null
          ? { signal: AbortSignal.timeout(TEXT_TIMEOUT_MS) }
          : { signal, send: (url, request) => upload(url, request, onProgress) };
      const { dm } = await call(sendDm, input, options);
      announce(dm.id);
      return dm;
    },
  };
}
