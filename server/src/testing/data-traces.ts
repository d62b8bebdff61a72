import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

export interface Place {
  readonly name: string;
  /** Empty for a file. */
  readonly text: string;
  /** The text's bytes, each binary value, or the file. */
  readonly bytes: readonly Buffer[];
}

/** Copies the rows of all schemas, except tables that Citus hides from its users. */
export async function dumpTables(databaseUrl: string): Promise<Place[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', nspname, relname) as name
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'p', 'm')
        and nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'columnar_internal')`);
    const places: Place[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(
        `select t::text as "row as text", t.* from ${name} t`,
      );
      for (const row of rows) {
        const text = String(row["row as text"]);
        const binary = Object.values(row).filter((value) => Buffer.isBuffer(value));
        places.push({ name, text, bytes: [Buffer.from(text), ...binary] });
      }
    }
    return places;
  } finally {
    await client.end();
  }
}

export async function readFiles(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (name) => ({ name, text: "", bytes: [await readFile(name)] })));
}

/** Plain, UTF-16, escaped, hexadecimal, and base64 at each offset. */
export function encodingsOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text);
  const wide = Buffer.from(text, "utf16le");
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const written = [utf8, wide, Buffer.from(wide).swap16(), Buffer.from(escaped), Buffer.from(ascii)];
  const inHex = [utf8, wide].map((bytes) => bytes.toString("hex"));
  const spelt = [
    ...inHex,
    ...inHex.map((hex) => hex.toUpperCase()),
    ...[0, 1, 2].flatMap((offset) => [utf8, wide].flatMap((bytes) => inBase64(bytes, offset))),
    encodeURIComponent(text),
  ];
  return [...written, ...spelt.map((form) => Buffer.from(form))];
}

/** Leaves out characters that depend on neighbouring bytes. */
function inBase64(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const whole = encoded.slice(offset === 0 ? 0 : offset + 1, -1);
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}

export function numberEncodings(value: number): Buffer[] {
  const forms = [Buffer.alloc(8), Buffer.alloc(8)];
  forms[0]!.writeDoubleBE(value);
  forms[1]!.writeDoubleLE(value);
  return forms;
}

export function placesWith(forms: readonly Buffer[], places: readonly Place[]): string[] {
  const found = places.filter(({ bytes }) => bytes.some((run) => forms.some((form) => run.includes(form))));
  return [...new Set(found.map(({ name }) => name))];
}
