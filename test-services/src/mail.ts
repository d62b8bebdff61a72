import type { Socket } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A letter as its receiver reads it. */
export interface ReceivedLetter {
  readonly to: string;
  readonly from: { name: string; address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** Its headers by name in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  /** The six digits in it; null when there are none. */
  readonly code: string | null;
}

export interface Mailbox {
  /** For `SMTP_URL`. */
  readonly url: string;
  /** All letters to an address so far, oldest first. */
  letters(to: string): readonly ReceivedLetter[];
  /** The `nth` letter to an address (the first unless told), as soon as it is there. */
  waitForLetter(to: string, nth?: number): Promise<ReceivedLetter>;
  /** Answers the next tries to send with an SMTP status, such as 451 (later) or 550 (never). */
  refuseNext(status: number, times?: number): void;
  /** Hangs up on the next tries to send in the middle of the letter. */
  hangUpNext(times?: number): void;
  /** Leaves the next try to send without an answer; resolves when it has come. */
  ignoreNext(): Promise<void>;
  /** Takes the next letter but answers as if it had not: the sender sends it again. */
  loseNextAnswer(): void;
  close(): Promise<void>;
}

const PATIENCE_MS = 20_000;

/** Starts a mail server on loopback that takes every letter and shows it to whoever asks. */
export async function startMailbox(): Promise<Mailbox> {
  const received: ReceivedLetter[] = [];
  const waiting = new Set<() => void>();
  const errors: number[] = [];
  let hangUps = 0;
  let ignored: (() => void) | null = null;
  const sockets = new Map<number, Socket>();
  let isAnswerLost = false;

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo(_address, _session, done) {
      if (ignored) {
        ignored();
        ignored = null;
        return;
      }
      const status = errors.shift();
      done(status ? Object.assign(new Error("not now"), { responseCode: status }) : null);
    },
    async onData(stream, session, done) {
      if (hangUps > 0) {
        hangUps--;
        sockets.get(session.remotePort)?.destroy();
        return;
      }
      try {
        const raw = Buffer.concat((await stream.toArray()) as Buffer[]);
        const receivers = session.envelope.rcptTo.map(({ address }) => address);
        received.push(...(await read(raw, receivers)));
        done(isAnswerLost ? Object.assign(new Error("try again"), { responseCode: 451 }) : null);
        isAnswerLost = false;
      } catch (error) {
        done(error as Error);
      }
      for (const look of waiting) look();
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.on("error", () => undefined); // a client that hangs up is no news
  server.server.on("connection", (socket: Socket) => {
    const port = socket.remotePort!;
    sockets.set(port, socket);
    socket.on("close", () => sockets.delete(port));
  });
  const address = server.server.address();
  if (!address || typeof address === "string") throw new Error("the mail server has no port");

  const letters = (to: string) => received.filter((letter) => letter.to.toLowerCase() === to.toLowerCase());
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    waitForLetter(to, nth = 1) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const look = () => {
          const letter = letters(to)[nth - 1];
          if (!letter) return;
          stop();
          resolve(letter);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`letter ${nth} to ${to} did not come`));
        }, PATIENCE_MS);
        waiting.add(look);
        look();
      });
    },
    refuseNext: (status, times = 1) => void errors.push(...Array.from({ length: times }, () => status)),
    hangUpNext: (times = 1) => void (hangUps += times),
    ignoreNext: () => new Promise((asked) => (ignored = asked)),
    loseNextAnswer: () => void (isAnswerLost = true),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function read(raw: Buffer, receivers: readonly string[]): Promise<ReceivedLetter[]> {
  const { from, subject = "", text = "", html = "", messageId = "", headers } = await PostalMime.parse(raw);
  const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? null;
  return receivers.map((to) => ({
    to,
    from: { name: from?.name ?? "", address: from?.address ?? "" },
    subject,
    text,
    html,
    messageId,
    headers: new Map(headers.map(({ key, value }) => [key, value])),
    code,
  }));
}
