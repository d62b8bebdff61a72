/** Held in memory: long contents are split into chunks. */
export interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

export class ArchiveError extends Error {
  override name = "ArchiveError";
}

const BLOCK = 512;
const NAME_BYTES = 100;
const MAX_BYTES = 256 * 1024 * 1024;
/** Field offsets in a header (POSIX ustar). */
const OFFSETS = { size: 124, sum: 148, kind: 156, magic: 257 };

export function encodeEntry({ name, bytes }: Entry, at: Date): Buffer {
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`the entry name ${name} is too long`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(bytes.length, 11)}\0`, OFFSETS.size);
  header.write(`${octal(Math.floor(at.getTime() / 1_000), 11)}\0`, 136);
  header.write("0", OFFSETS.kind);
  header.write("ustar\x0000", OFFSETS.magic);
  header.write(`${octal(checksum(header), 6)}\0 `, OFFSETS.sum);
  return Buffer.concat([header, bytes, Buffer.alloc(padding(bytes.length))]);
}

export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

/** @throws ArchiveError for a damaged or truncated archive */
export async function* readEntries(stream: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const source = new ByteReader(stream);
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const sum = Number.parseInt(header.toString("latin1", OFFSETS.sum, OFFSETS.sum + 6), 8);
    const size = Number.parseInt(header.toString("latin1", OFFSETS.size, OFFSETS.size + 11), 8);
    const isOurs =
      header.toString("latin1", OFFSETS.magic, OFFSETS.magic + 5) === "ustar" && sum === checksum(header);
    if (!isOurs || !(size <= MAX_BYTES)) throw new ArchiveError("it is damaged or not a backup");
    const name = header.toString("utf8", 0, header.indexOf(0));
    const bytes = await source.take(size);
    await source.take(padding(size));
    yield { name, bytes };
  }
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #length = 0;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    while (this.#length < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new ArchiveError("it is truncated");
      this.#held.push(value);
      this.#length += value.length;
    }
    const [first = Buffer.alloc(0)] = this.#held;
    const all = this.#held.length === 1 ? first : Buffer.concat(this.#held);
    this.#held = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }
}

function checksum(header: Buffer): number {
  let sum = 8 * 32;
  for (const [index, byte] of header.entries())
    if (index < OFFSETS.sum || index >= OFFSETS.sum + 8) sum += byte;
  return sum;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function padding(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}
