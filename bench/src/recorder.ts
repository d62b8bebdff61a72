import { createServer, connect, type Socket } from "node:net";
import { once } from "node:events";

export interface Sent {
  readonly text: string;
  readonly values: readonly (string | Buffer | null)[];
  /** A named statement is planned once per connection. */
  readonly isPrepared: boolean;
}

export interface Recorder {
  /** The URL for the server, instead of the database's. */
  readonly url: string;
  take(): Sent[];
  close(): Promise<void>;
}

/** A transparent proxy that records the server's statements. */
export async function startRecorder(databaseUrl: string): Promise<Recorder> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let sent: Sent[] = [];
  const relay = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    const parser = new StatementParser((statement) => sent.push(statement));
    for (const socket of [client, database]) {
      open.add(socket.setNoDelay());
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        database.destroy();
      });
      socket.on("error", () => undefined); // `close` follows
    }
    client.on("data", (bytes: Buffer) => parser.read(bytes));
    client.pipe(database);
    database.pipe(client);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = new URL(databaseUrl);
  url.port = String((relay.address() as { port: number }).port);
  return {
    url: url.href,
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
    async close() {
      for (const socket of open) socket.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}

/** Parses one client's Parse and Bind messages of PostgreSQL's protocol. */
class StatementParser {
  #buffered: Buffer = Buffer.alloc(0);
  #isStarted = false;
  readonly #texts = new Map<string, string>();
  readonly #onStatement: (sent: Sent) => void;

  constructor(onStatement: (sent: Sent) => void) {
    this.#onStatement = onStatement;
  }

  read(bytes: Buffer): void {
    this.#buffered = this.#buffered.length > 0 ? Buffer.concat([this.#buffered, bytes]) : bytes;
    for (;;) {
      const typed = this.#isStarted ? 1 : 0; // the first message has no type byte
      if (this.#buffered.length < typed + 4) return;
      const end = typed + this.#buffered.readInt32BE(typed);
      if (this.#buffered.length < end) return;
      if (typed)
        this.#parse(String.fromCharCode(this.#buffered[0]!), new Fields(this.#buffered.subarray(5, end)));
      this.#isStarted = true;
      this.#buffered = this.#buffered.subarray(end);
    }
  }

  #parse(kind: string, fields: Fields): void {
    if (kind === "P") this.#texts.set(fields.text(), fields.text());
    else if (kind === "B") {
      fields.text(); // the portal name
      const name = fields.text();
      const formats = fields.many(() => fields.int16());
      const values = fields.many((i) => fields.value((formats[i] ?? formats[0]) === 1));
      this.#onStatement({ text: this.#texts.get(name)!, values, isPrepared: name !== "" });
    }
  }
}

class Fields {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  int16(): number {
    this.#at += 2;
    return this.#bytes.readInt16BE(this.#at - 2);
  }

  many<T>(read: (i: number) => T): T[] {
    const length = this.int16();
    return Array.from({ length }, (_, i) => read(i));
  }

  value(isBinary: boolean): string | Buffer | null {
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    if (length === -1) return null;
    this.#at += length;
    const value = this.#bytes.subarray(this.#at - length, this.#at);
    return isBinary ? Buffer.from(value) : value.toString("utf8");
  }
}
