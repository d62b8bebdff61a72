import type { Db, Tx } from "./db/database.ts";
import type { CurrentMember } from "./context.ts";

interface ExportedFile {
  readonly name: string;
  open(): Promise<Buffer | null>;
}

export interface ExportPart {
  readonly values?: Record<string, unknown>;
  /** Each call begins a list anew, for each file that holds it. */
  readonly lists?: Record<string, () => AsyncIterable<unknown>>;
  readonly files?: readonly ExportedFile[];
}

type ReadPart = (tx: Tx, me: CurrentMember) => Promise<ExportPart>;

export class PersonalDataExports {
  readonly #parts: ReadPart[] = [];

  add(read: ReadPart): void {
    this.#parts.push(read);
  }

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
      files: parts.flatMap(({ files = [] }) => files),
    };
  }
}
