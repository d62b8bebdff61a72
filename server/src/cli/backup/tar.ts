/** A file in an archive. Each is held in memory as a whole: what is long comes in pieces. */
export interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** An archive that is broken or breaks off, told in plain words. */
export class ArchiveBroken extends Error {
  override name = "ArchiveBroken";
}

const BLOCK = 512;
const NAME_BYTES = 100;
/** No entry of ours comes near; whoever made a larger one is not us. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Where in a header is what (POSIX ustar). */
const AT = { size: 124, sum: 148, kind: 156, magic: 257 };

/** One entry as it stands in a tar archive, to be read by every `tar`. */
export function entryBytes({ name, bytes }: Entry, at: Date): Buffer {
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`${name} is too long a name`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(bytes.length, 11)}\0`, AT.size);
  header.write(`${octal(Math.floor(at.getTime() / 1_000), 11)}\0`, 136);
  header.write("0", AT.kind);
  header.write("ustar\x0000", AT.magic);
  header.write(`${octal(sumOf(header), 6)}\0 `, AT.sum);
  return Buffer.concat([header, bytes, Buffer.alloc(paddingOf(bytes.length))]);
}

/** What stands at the end of every tar archive. */
export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

/** Reads an archive entry by entry; throws `ArchiveBroken` where it breaks off. */
export async function* readEntries(stream: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const source = new Source(stream);
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const sum = Number.parseInt(header.toString("latin1", AT.sum, AT.sum + 6), 8);
    const size = Number.parseInt(header.toString("latin1", AT.size, AT.size + 11), 8);
    const isOurs = header.toString("latin1", AT.magic, AT.magic + 5) === "ustar" && sum === sumOf(header);
    if (!isOurs || !(size <= MOST_BYTES)) throw new ArchiveBroken("it is damaged, or no backup");
    const name = header.toString("utf8", 0, header.indexOf(0));
    const bytes = await source.take(size);
    await source.take(paddingOf(size));
    yield { name, bytes };
  }
}

/** Hands out exactly as many bytes as are asked for. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #length = 0;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    while (this.#length < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new ArchiveBroken("it breaks off in the middle");
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

/** The sum of a header's bytes, its own field counted as spaces. */
function sumOf(header: Buffer): number {
  let sum = 8 * 32;
  for (const [index, byte] of header.entries()) if (index < AT.sum || index >= AT.sum + 8) sum += byte;
  return sum;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function paddingOf(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}
