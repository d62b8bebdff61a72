import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, open, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import type { AppContext } from "../../../platform/context.ts";
import { createPrivateFolder } from "../../../platform/lib/private-folder.ts";
import { ArchiveError, END_OF_ARCHIVE, type Entry, encodeEntry, readEntries } from "./tar.ts";
import { OperatorError } from "../command-line.ts";

/*
 * A backup is a tar archive: `backup.json` with time and format, tables in chunks, pictures, and `end.json` with the
 * expected contents, without which the backup is invalid. It has data, or the data keys as the master keys encrypted
 * them, never both.
 */

const FORMAT = 2;
const HEAD = "backup.json";
const END = "end.json";
const UNFINISHED = ".unfinished";

const Head = z.object({
  format: z.literal(FORMAT),
  kind: z.enum(["data", "keys"]),
  created_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Keyed by the pepper. */
  proof: z.string(),
});
export type Head = z.infer<typeof Head>;
type Kind = Head["kind"];

const End = z.object({
  rows: z.record(z.string(), z.number()),
  sequences: z.record(z.string(), z.number()),
  pictures: z.number(),
  /** Keyed by the pepper, over every entry before this one. */
  proof: z.string(),
});
type End = z.infer<typeof End>;
export type Contents = Omit<End, "proof">;

class Proof {
  readonly #hash: Hash = createHash("sha256");

  add({ name, bytes }: Entry): void {
    this.#hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }

  of({ encryption }: AppContext, contents: Contents): string {
    const { rows, sequences, pictures } = contents;
    const summary = JSON.stringify([Object.entries(rows), Object.entries(sequences), pictures]);
    return encryption.blindIndex(`${this.#hash.digest("hex")} ${summary}`, "backup").toString("hex");
  }
}

/** In a folder, the time names the file. */
async function targetPath(to: string, kind: Kind, now: Date): Promise<string> {
  const isFolder = to.endsWith("/") || (await stat(to).catch(() => null))?.isDirectory() === true;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  return isFolder ? join(resolve(to), `${kind === "data" ? "backup" : "keys"}-${stamp}.tar`) : resolve(to);
}

/** The file appears under its name only when published, and never replaces another one. */
export class BackupWriter {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #at: Date;
  readonly #proof = new Proof();

  private constructor(path: string, file: FileHandle, at: Date) {
    this.path = path;
    this.#file = file;
    this.#at = at;
  }

  static async open(to: string, kind: Kind, at: Date): Promise<BackupWriter> {
    const path = await targetPath(to, kind, at);
    try {
      await createPrivateFolder(dirname(path));
      if (await stat(path).catch(() => null)) throw new OperatorError(`${path} already exists.`);
      await rm(path + UNFINISHED, { force: true });
      return new BackupWriter(path, await open(path + UNFINISHED, "wx", 0o600), at);
    } catch (error) {
      throw toWriteError(path, error);
    }
  }

  async add(entry: Entry): Promise<void> {
    this.#proof.add(entry);
    await this.#write(encodeEntry(entry, this.#at));
  }

  async addHead(ctx: AppContext, head: Omit<Head, "format" | "created_at" | "proof">): Promise<void> {
    const createdAt = this.#at.toISOString();
    const proof = pepperProof(ctx, createdAt);
    await this.add(jsonEntry(HEAD, { format: FORMAT, created_at: createdAt, ...head, proof }));
  }

  get draftPath(): string {
    return this.path + UNFINISHED;
  }

  async finish(ctx: AppContext, contents: Contents): Promise<void> {
    const end = { ...contents, proof: this.#proof.of(ctx, contents) };
    await this.#write(Buffer.concat([encodeEntry(jsonEntry(END, end), this.#at), END_OF_ARCHIVE]));
    try {
      await this.#file.sync();
      await this.#file.close();
    } catch (error) {
      throw toWriteError(this.path, error);
    }
  }

  async publish(): Promise<void> {
    try {
      await link(this.path + UNFINISHED, this.path);
      await rm(this.path + UNFINISHED);
      const folder = await open(dirname(this.path));
      await folder.sync();
      await folder.close();
    } catch (error) {
      throw toWriteError(this.path, error);
    }
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.path + UNFINISHED, { force: true });
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      await this.#file.writeFile(bytes);
    } catch (error) {
      throw toWriteError(this.path, error);
    }
  }
}

export class BackupReader {
  readonly head: Head;
  readonly #ctx: AppContext;
  readonly #entries: AsyncGenerator<Entry>;
  readonly #proof = new Proof();
  #next: Entry | null = null;

  private constructor(ctx: AppContext, entries: AsyncGenerator<Entry>, first: Entry, head: Head) {
    this.#ctx = ctx;
    this.#entries = entries;
    this.#proof.add(first);
    this.head = head;
  }

  /** @throws OperatorError if the backup needs another pepper */
  static async open(ctx: AppContext, path: string): Promise<BackupReader> {
    const entries = readEntries(createReadStream(path, { highWaterMark: 1024 * 1024 }));
    const first = await withReadErrors(path, async () => (await entries.next()).value as Entry | undefined);
    const head = first?.name === HEAD ? parseJson(Head, first.bytes) : null;
    if (!first || !head) throw new OperatorError(`${basename(path)} is not a backup of this format.`);
    const reader = new BackupReader(ctx, entries, first, head);
    reader.#requireSamePepper();
    return reader;
  }

  async *entries(prefix: string): AsyncGenerator<Entry> {
    for (;;) {
      const entry = await this.#peek();
      if (!entry?.name.startsWith(prefix)) return;
      this.#next = null;
      this.#proof.add(entry);
      yield entry;
    }
  }

  /** Throws unless every entry is unchanged. */
  async end(): Promise<Contents> {
    const entry = await this.#peek();
    const end = entry?.name === END ? parseJson(End, entry.bytes) : null;
    if (!end || end.proof !== this.#proof.of(this.#ctx, end)) throw new ArchiveError("it was changed");
    return end;
  }

  async #peek(): Promise<Entry | null> {
    this.#next ??= ((await this.#entries.next()).value as Entry | undefined) ?? null;
    return this.#next;
  }

  #requireSamePepper(): void {
    const { head } = this;
    if (pepperProof(this.#ctx, head.created_at) === head.proof) return;
    throw new OperatorError(
      "The backup needs another pepper: put its secrets.json into SECRETS_DIR, or set its PASSWORD_PEPPER.",
    );
  }
}

export async function withReadErrors<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new OperatorError(`${basename(path)} cannot be used: ${error.message}.`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === "open" || syscall === "read") throw new OperatorError(`${path} cannot be read: ${code}.`);
    throw error;
  }
}

function pepperProof({ encryption }: AppContext, createdAt: string): string {
  return encryption.blindIndex(createdAt, "backup head").toString("hex");
}

function toWriteError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall ? new OperatorError(`${path} cannot be written: ${code}.`) : error;
}

function jsonEntry(name: string, value: unknown): Entry {
  return { name, bytes: Buffer.from(JSON.stringify(value)) };
}

function parseJson<S extends z.ZodMiniType>(schema: S, bytes: Buffer): z.infer<S> | null {
  try {
    const parsed = z.safeParse(schema, JSON.parse(bytes.toString()));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
