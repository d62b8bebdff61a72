import type pg from "pg";
import type { Sent } from "./recorder.ts";

export interface Parts {
  /** The search: likers, cell counts, probes, filters, waiting likes. */
  readonly search: readonly Sent[];
  readonly store: readonly Sent[];
  /** Serving from the deck: new likers, filters, loading profiles. */
  readonly serve: readonly Sent[];
  /** Everything, with session, viewer and activity. */
  readonly all: readonly Sent[];
}

/** Statements of jobs and events. */
const BACKGROUND = /graphile_worker|notify|group by "far_cell", "sex"|from "cell_counts"$/i;

export function partsOf(sent: readonly Sent[]): Parts {
  const all = sent.filter(({ text }) => !BACKGROUND.test(text));
  const searchStart = all.findIndex(({ text }) => /update searchables set active_day/.test(text)) + 1;
  const stored = all.findIndex(({ text }) => /insert into "?decks/.test(text));
  const remaining = all.slice(searchStart);
  if (stored === -1) return { search: [], store: [], serve: remaining, all };
  return {
    search: all.slice(searchStart, stored),
    store: all.slice(stored, stored + 1),
    serve: all.slice(stored + 1),
    all,
  };
}

/** Returns the duration of each statement in milliseconds. */
export async function replay(db: pg.Client, sent: readonly Sent[]): Promise<number[]> {
  const times: number[] = [];
  for (const { text, values, isPrepared } of sent) {
    const start = performance.now();
    await db.query({ text, values: [...values], ...(isPrepared && { name: nameOf(text) }) });
    times.push(performance.now() - start);
  }
  return times;
}

const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `bench_${names.size}`;
  names.set(text, name);
  return name;
}

interface Explained {
  readonly Plan: Record<"Shared Hit Blocks" | "Shared Read Blocks", number>;
}

/** Returns the shared buffers touched; changes are rolled back. */
export async function buffersOf(db: pg.Client, sent: readonly Sent[]): Promise<number> {
  let buffers = 0;
  for (const { text, values } of sent) {
    await db.query("begin");
    const { rows } = await db.query<{ "QUERY PLAN": [Explained] }>({
      text: `explain (analyze, buffers, format json) ${text}`,
      values: [...values],
    });
    await db.query("rollback");
    const { Plan } = rows[0]!["QUERY PLAN"][0];
    buffers += Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
  }
  return buffers;
}

export function shortNameOf({ text }: Sent): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  const verb = words.split(" ")[0]!;
  const tables = [...words.matchAll(/(?:from|update|into|join) "?([a-z_]+)"?/g)].map(([, name]) => name);
  const index = /s"?\."?near_cell"? = p/.test(words)
    ? " (near)"
    : /s"?\."?far_cell"? = p/.test(words)
      ? " (far)"
      : "";
  const table = [...new Set(tables.filter((name) => name !== "unnest" && name !== "lateral"))].join(", ");
  return `${verb} ${table || words.slice(0, 30)}${index}`;
}
