import { type Dm, type Quote, sendDm } from "@alcove/contract/messaging";
import type { api } from "../../../lib/api/api.ts";
import { OfflineError } from "../../../lib/api/errors.ts";
import type { SendCallOptions } from "../../../lib/api/send-call.ts";
import { upload } from "../../../lib/api/upload.ts";

export interface VoiceFacts {
  readonly seconds: number;
  /** From 0 to 15. */
  readonly peaks: readonly number[];
  /** The same in writing. */
  readonly text: string | null;
}

export interface MessageContent {
  /** The server stores a message once per `clientId`, however often it is sent. */
  readonly clientId: string;
  readonly text: string | null;
  /** An image, or the recording of a voice note. */
  readonly file: File | null;
  readonly voice: VoiceFacts | null;
  /** The quoted message or note. */
  readonly reply: Quote | null;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** The sent part of a file, from 0 to 1. */
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
    async send(receiverId, { clientId, text, file, voice, reply }, { signal, onProgress }) {
      if (isLocked()) throw new OfflineError("the app is locked");
      const input = {
        receiverId,
        clientId,
        ...(text === null ? {} : { description: text }),
        ...(file === null ? {} : voice ? { voice: file, voice_text: voice.text } : { file }),
        ...(reply === null ? {} : { [reply.is_note ? "postId" : "replyId"]: reply.id }),
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
