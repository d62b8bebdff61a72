import { ApiError } from "../errors.ts";
import { keyedSemaphore } from "../lib/semaphore.ts";

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 256 * MEGABYTE;
/** Those of visitors whose files precede their code, so that strangers cannot fill the whole memory. */
const MAX_UNPROVEN_BYTES = 32 * MEGABYTE;
/** Further files wait unread: each may have ten megabytes. */
const FORMS_PER_SENDER = 4;
const RETRY_SECONDS = 30;

export interface FormMemory {
  /** Waits for one of the sender's places. The form keeps it until it is handled. */
  begin(sender: string): Promise<void>;
  /** @throws service_unavailable if the files of all forms would need too much memory */
  take(bytes: number, isProven: boolean): void;
}

/** The memory of a process for the files of forms (docs/media.md, Uploads). */
export class UploadMemory {
  readonly #queue = keyedSemaphore(FORMS_PER_SENDER);
  #bytes = 0;
  #unprovenBytes = 0;

  /** The files are counted until `handle` ends. */
  async run<T>(handle: (memory: FormMemory) => Promise<T>): Promise<T> {
    let [bytes, unprovenBytes] = [0, 0];
    const end = Promise.withResolvers<void>();
    const begin = async (sender: string) => {
      const begun = Promise.withResolvers<void>();
      void this.#queue(sender, async () => {
        begun.resolve();
        await end.promise;
      });
      await begun.promise;
    };
    const take = (more: number, isProven: boolean) => {
      const unproven = isProven ? 0 : more;
      if (this.#bytes + more > MAX_BYTES || this.#unprovenBytes + unproven > MAX_UNPROVEN_BYTES)
        throw new ApiError("service_unavailable", { retryAfterSeconds: RETRY_SECONDS });
      bytes += more;
      unprovenBytes += unproven;
      this.#bytes += more;
      this.#unprovenBytes += unproven;
    };
    try {
      return await handle({ begin, take });
    } finally {
      end.resolve();
      this.#bytes -= bytes;
      this.#unprovenBytes -= unprovenBytes;
    }
  }
}
