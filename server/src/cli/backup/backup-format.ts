import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, open, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import type { AppContext } from "../../platform/context.ts";
import { createPrivateFolder } from "../../platform/lib/private-folder.ts";
import { createEncryption, DecryptionError } from "../../platform/security/encryption.ts";
import { ArchiveBroken, END_OF_ARCHIVE, type Entry, entryBytes, readEntries } from "./tar.ts";
import { OperatorProblem } from "../command-line.ts";

/*
 * A backup is a tar archive: `backup.json` says of which moment and form it is, then come tables (in pieces), then
 * pictures, and `end.json`, without which it is no backup, says what there has to be. It holds nothing clear that the
 * database does not hold clear, and no key.
 */

const FORMAT = 1;
const HEAD = "backup.json";
const END = "end.json";
const UNFINISHED = ".unfinished";
const KEY_PROOF = "a key of this backup";
const keyContext = (createdAt: string): string => `backup.keys:${createdAt}`;

const Head = z.object({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  /** The migrations of the database. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** A word sealed by each sealing key: whoever opens it has the key. */
  encrypted: z.array(z.string()),
  /** By the pepper. */
  proof: z.string(),
});
export type Head = z.infer<typeof Head>;

const End = z.object({
  rows: z.record(z.string(), z.number()),
  sequences: z.record(z.string(), z.number()),
  pictures: z.number(),
  /** Keyed by the pepper, over every entry before this one. */
  proof: z.string(),
});
type End = z.infer<typeof End>;
export type Contents = Omit<End, "proof">;

/** What has been written or read so far, in one digest. */
class Proof {
  readonly #hash: Hash = createHash("sha256");

  add({ name, bytes }: Entry): void {
    this.#hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }

  of({ encryption }: AppContext, contents: Contents): string {
    const { rows, sequences, pictures } = contents;
    const told = JSON.stringify([Object.entries(rows), Object.entries(sequences), pictures]);
    return encryption.blindIndex(`${this.#hash.digest("hex")} ${told}`, "backup").toString("hex");
  }
}

/** Where a backup goes: the file that was named, or one of this moment in the folder that was. */
async function placeOf(to: string, now: Date): Promise<string> {
  const isFolder = to.endsWith("/") || (await stat(to).catch(() => null))?.isDirectory() === true;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  return isFolder ? join(resolve(to), `backup-${stamp}.tar`) : resolve(to);
}

/** A backup that is being written. Under its name it appears whole or not at all, and it replaces nothing. */
export class BackupDraft {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #at: Date;
  readonly #proof = new Proof();

  private constructor(path: string, file: FileHandle, at: Date) {
    this.path = path;
    this.#file = file;
    this.#at = at;
  }

  static async open(to: string, at: Date): Promise<BackupDraft> {
    const path = await placeOf(to, at);
    try {
      await createPrivateFolder(dirname(path));
      if (await stat(path).catch(() => null)) throw new OperatorProblem(`${path} is there already.`);
      await rm(path + UNFINISHED, { force: true });
      return new BackupDraft(path, await open(path + UNFINISHED, "wx", 0o600), at);
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  async add(entry: Entry): Promise<void> {
    this.#proof.add(entry);
    await this.#write(entryBytes(entry, this.#at));
  }

  async addHead(
    ctx: AppContext,
    head: Omit<Head, "format" | "created_at" | "encrypted" | "proof">,
  ): Promise<void> {
    const createdAt = this.#at.toISOString();
    const encrypted = ctx.secrets.encryptionKeys.map((key) =>
      createEncryption([key], ctx.secrets.pepper)
        .encrypt(KEY_PROOF, keyContext(createdAt))
        .toString("base64"),
    );
    const proof = pepperProof(ctx, createdAt);
    await this.add(jsonEntry(HEAD, { format: FORMAT, created_at: createdAt, ...head, encrypted, proof }));
  }

  /** Ends the backup and gives it its name, once all of it is on disk. */
  async finish(ctx: AppContext, contents: Contents): Promise<void> {
    const end = { ...contents, proof: this.#proof.of(ctx, contents) };
    await this.#write(Buffer.concat([entryBytes(jsonEntry(END, end), this.#at), END_OF_ARCHIVE]));
    try {
      await this.#file.sync();
      await this.#file.close();
      await link(this.path + UNFINISHED, this.path);
      await rm(this.path + UNFINISHED);
      const folder = await open(dirname(this.path));
      await folder.sync();
      await folder.close();
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  /** Removes what was written, unless it was finished. */
  async giveUp(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.path + UNFINISHED, { force: true });
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      await this.#file.writeFile(bytes);
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }
}

/** A backup that is being read, from its beginning, once. */
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

  /** Opens a backup that was made with the keys of this server. */
  static async open(ctx: AppContext, path: string): Promise<BackupReader> {
    const entries = readEntries(createReadStream(path, { highWaterMark: 1024 * 1024 }));
    const first = await told(path, async () => (await entries.next()).value as Entry | undefined);
    const head = first?.name === HEAD ? readJson(Head, first.bytes) : null;
    if (!first || !head) throw new OperatorProblem(`${basename(path)} is no backup of this kind.`);
    const reader = new BackupReader(ctx, entries, first, head);
    reader.#refuseOtherKeys();
    return reader;
  }

  /** The pieces of what follows under a name, as far as they follow each other. */
  async *pieces(prefix: string): AsyncGenerator<Entry> {
    for (;;) {
      const entry = await this.#peek();
      if (!entry?.name.startsWith(prefix)) return;
      this.#next = null;
      this.#proof.add(entry);
      yield entry;
    }
  }

  /** What the backup says of itself at its end; throws unless everything before is as it was written. */
  async end(): Promise<Contents> {
    const entry = await this.#peek();
    const end = entry?.name === END ? readJson(End, entry.bytes) : null;
    if (!end || end.proof !== this.#proof.of(this.#ctx, end))
      throw new ArchiveBroken("it is not as it was written");
    return end;
  }

  async #peek(): Promise<Entry | null> {
    this.#next ??= ((await this.#entries.next()).value as Entry | undefined) ?? null;
    return this.#next;
  }

  #refuseOtherKeys(): void {
    const { head } = this;
    const isPepper = pepperProof(this.#ctx, head.created_at) === head.proof;
    if (isPepper && head.encrypted.every((encrypted) => this.#opens(encrypted))) return;
    throw new OperatorProblem(
      "The backup was made with other keys: put the secrets.json that belongs to it into DATA_DIR, or set PASSWORD_PEPPER and SEALING_KEYS as they were then.",
    );
  }

  #opens(encrypted: string): boolean {
    try {
      const word = this.#ctx.encryption.decrypt(
        Buffer.from(encrypted, "base64"),
        keyContext(this.head.created_at),
      );
      return word === KEY_PROOF;
    } catch (error) {
      if (error instanceof DecryptionError) return false;
      throw error;
    }
  }
}

/** Runs what reads a backup, and says in plain words when it is not whole. */
export async function told<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ArchiveBroken)
      throw new OperatorProblem(`${basename(path)} cannot be used: ${error.message}.`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === "open" || syscall === "read")
      throw new OperatorProblem(`${path} cannot be read: ${code}.`);
    throw error;
  }
}

function pepperProof({ encryption }: AppContext, createdAt: string): string {
  return encryption.blindIndex(createdAt, "backup head").toString("hex");
}

function unwritable(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall ? new OperatorProblem(`${path} cannot be written: ${code}.`) : error;
}

function jsonEntry(name: string, value: unknown): Entry {
  return { name, bytes: Buffer.from(JSON.stringify(value)) };
}

function readJson<S extends z.ZodMiniType>(schema: S, bytes: Buffer): z.infer<S> | null {
  try {
    const read = z.safeParse(schema, JSON.parse(bytes.toString()));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
