import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../results");

type Cell = string | number;

interface Results {
  readonly measured: string;
  readonly setup: string;
  readonly tables: Record<string, Record<string, Cell>[]>;
}

/**
 * Prints the tables of a run. A cell that differs from the saved run is followed by the saved value in brackets. With
 * `save`, the run replaces it in `bench/results/NAME.json`.
 */
export class Report {
  readonly #name: string;
  readonly #save: boolean;
  readonly #before: Results["tables"];
  readonly #tables: Results["tables"] = {};

  constructor(name: string, save: boolean) {
    this.#name = name;
    this.#save = save;
    const file = this.#file();
    this.#before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results).tables : {};
  }

  /** The first cell of a row is its name, with the second one if that is no number. */
  table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
    const cells = rows.map((row) =>
      Object.fromEntries(head.map((name, at) => [name, cellOf(row[at] ?? "")])),
    );
    this.#tables[title] = cells;
    const before = new Map((this.#before[title] ?? []).map((row) => [nameOf(Object.values(row)), row]));
    const lines = cells.map((row) => {
      const saved = before.get(nameOf(Object.values(row)));
      return head.map((name) => withSaved(row[name]!, saved?.[name]));
    });
    const all = [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`);
    process.stdout.write(`${title}\n\n${all.join("\n")}\n\n`);
  }

  /** Prints and saves the circumstances of the run. */
  end(setup: string): void {
    const machine = `${availableParallelism()} cores, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`;
    const results: Results = {
      measured: new Date().toISOString().slice(0, 10),
      setup: `${setup}; ${machine}`,
      tables: this.#tables,
    };
    process.stdout.write(`${results.setup}\n`);
    if (this.#save) writeFileSync(this.#file(), textOf(results));
  }

  #file(): string {
    return join(FOLDER, `${this.#name}.json`);
  }
}

/** One row a line, so that a new run is a readable change. */
function textOf({ measured, setup, tables }: Results): string {
  const lines = Object.entries(tables).map(([title, rows]) => {
    const each = rows.map((row) => `      ${JSON.stringify(row)}`).join(",\n");
    return `    ${JSON.stringify(title)}: [\n${each}\n    ]`;
  });
  const head = `  "measured": ${JSON.stringify(measured)},\n  "setup": ${JSON.stringify(setup)},\n`;
  return `{\n${head}  "tables": {\n${lines.join(",\n")}\n  }\n}\n`;
}

function cellOf(text: string): Cell {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function nameOf([first, second]: Cell[]): string {
  return typeof second === "string" ? `${first}, ${second}` : String(first);
}

function withSaved(now: Cell, saved: Cell | undefined): string {
  return saved === undefined || saved === now ? String(now) : `${now} (${saved})`;
}
