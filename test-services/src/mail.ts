import type { Socket } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedEmail {
  readonly to: string;
  readonly from: { name: string; address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The code of eight digits or twelve capital letters, if any. */
  readonly code: string | null;
}

export interface Mailbox {
  readonly url: string;
  /** Oldest first. */
  emails(to: string): readonly ReceivedEmail[];
  /** Waits for the `nth` email to an address, by default the first. */
  waitForEmail(to: string, nth?: number): Promise<ReceivedEmail>;
  /** Responds to the next deliveries with an SMTP status, such as 451 (retry) or 550 (permanent). */
  rejectNext(status: number, times?: number): void;
  /** Disconnects the next deliveries in the middle of the email. */
  disconnectNext(times?: number): void;
  /** Never responds to the next delivery; resolves when it starts. */
  ignoreNext(): Promise<void>;
  /** Accepts the next email but responds with an error, so that the sender repeats it. */
  loseNextResponse(): void;
  close(): Promise<void>;
}

const TIMEOUT_MS = 20_000;

/** Starts an SMTP server on loopback that accepts every email. */
export async function startMailbox(): Promise<Mailbox> {
  const received = new Received();
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
        received.add(await read(raw, receivers));
        done(isAnswerLost ? Object.assign(new Error("try again"), { responseCode: 451 }) : null);
        isAnswerLost = false;
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const port = await listen(server);
  server.server.on("connection", (socket: Socket) => {
    const from = socket.remotePort!;
    sockets.set(from, socket);
    socket.on("close", () => sockets.delete(from));
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails: (to) => received.to(to),
    waitForEmail: async (to, nth = 1) => received.wait(to, nth),
    rejectNext: (status, times = 1) => void errors.push(...Array.from({ length: times }, () => status)),
    disconnectNext: (times = 1) => void (hangUps += times),
    ignoreNext: () => new Promise((asked) => (ignored = asked)),
    loseNextResponse: () => void (isAnswerLost = true),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function listen(server: SMTPServer): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.on("error", () => undefined); // a disconnecting client is no error
  const address = server.server.address();
  if (!address || typeof address === "string") throw new Error("the mail server has no port");
  return address.port;
}

class Received {
  readonly #all: ReceivedEmail[] = [];
  readonly #waiting = new Set<() => void>();

  add(emails: readonly ReceivedEmail[]): void {
    this.#all.push(...emails);
    for (const look of this.#waiting) look();
  }

  to(address: string): ReceivedEmail[] {
    return this.#all.filter(({ to }) => to.toLowerCase() === address.toLowerCase());
  }

  wait(to: string, nth: number): Promise<ReceivedEmail> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      const look = () => {
        const email = this.to(to)[nth - 1];
        if (!email) return;
        stop();
        resolve(email);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`email ${nth} to ${to} did not come`));
      }, TIMEOUT_MS);
      this.#waiting.add(look);
      look();
    });
  }
}

async function read(raw: Buffer, receivers: readonly string[]): Promise<ReceivedEmail[]> {
  const { from, subject = "", text = "", html = "", messageId = "", headers } = await PostalMime.parse(raw);
  const code = /\b(?:\d{8}|[A-HJ-NP-Z]{12})\b/.exec(text)?.[0] ?? null;
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
