import type { Db, Tx } from "./db/database.ts";
import type { CurrentMember } from "./context.ts";

/** A picture that lies beside the data; it is opened when its turn comes, and null when it has gone by then. */
interface ExportedPicture {
  readonly name: string;
  open(): Promise<Buffer | null>;
}

/** What a feature keeps about a member and of it. */
export interface ExportPart {
  /** Values of `data.json` by their names. */
  readonly values?: Record<string, unknown>;
  /** Lists of `data.json` that may be long: read page by page while they are written, in no transaction. */
  readonly lists?: Record<string, AsyncIterable<unknown>>;
  readonly pictures?: readonly ExportedPicture[];
}

type ReadPart = (tx: Tx, me: CurrentMember) => Promise<ExportPart>;

/** Gathers a member's copy of its data from features that need not know each other: each adds its part. */
export class PersonalDataExports {
  readonly #parts: ReadPart[] = [];

  /** Called once at start by a feature: how to read its part. */
  add(read: ReadPart): void {
    this.#parts.push(read);
  }

  /** All parts, in order of registration and read at one moment. The transaction is over when this answers. */
  async read(db: Db, me: CurrentMember): Promise<Required<ExportPart>> {
    const parts = await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (tx) => {
        const read: ExportPart[] = [];
        for (const part of this.#parts) read.push(await part(tx, me));
        return read;
      });
    return {
      values: Object.assign({}, ...parts.map(({ values }) => values)) as Record<string, unknown>,
      lists: Object.assign({}, ...parts.map(({ lists }) => lists)) as Required<ExportPart>["lists"],
      pictures: parts.flatMap(({ pictures = [] }) => pictures),
    };
  }
}
