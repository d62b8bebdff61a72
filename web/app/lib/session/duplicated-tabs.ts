import { currentSession, isTabOnly, type Session, storeSession } from "./session.ts";

/** A duplicated tab has a copy of the storage of its tab. */
type Message = { readonly ask: string } | { readonly session: Session };

const RESPONSE_MS = 500;

let channel: BroadcastChannel | null = null;
let handleSession: (() => void) | null = null;

/** Responds to duplicates of this tab, and takes over the tokens that they have renewed. */
export function startDuplicates(): void {
  try {
    channel = new BroadcastChannel("session");
  } catch {
    return; // the browser blocks storage, and a duplicate gets no copy
  }
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    const own = isTabOnly() ? currentSession() : null;
    if (!own) return;
    if ("ask" in data) {
      if (data.ask === own.loginId) shareSession(own);
    } else if (data.session.loginId === own.loginId) {
      if (data.session.renewals > own.renewals) storeSession(data.session);
      handleSession?.();
    }
  });
}

/** Sends the tokens of a login in this tab only to its duplicates: the server would take a second use for a theft. */
export function shareSession(session: Session): void {
  if (isTabOnly()) channel?.postMessage({ session } satisfies Message);
}

/** Returns once a duplicate of this tab has sent its tokens, at the latest after half a second. */
export async function takeFromDuplicates({ loginId }: Session): Promise<void> {
  if (!channel || !isTabOnly()) return;
  const response = new Promise<void>((done) => {
    handleSession = done;
    setTimeout(done, RESPONSE_MS);
  });
  channel.postMessage({ ask: loginId } satisfies Message);
  await response;
  handleSession = null;
}
