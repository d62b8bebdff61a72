import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RETENTION } from "@alcove/contract/retention";
import { RECEIVERS, STORED_IN } from "./privacy-lists.ts";

const FOLDER = join(import.meta.dirname, "../../../docs/law");
const readDocument = (name: string) => readFileSync(join(FOLDER, name), "utf8");
/** Returns the names in backquotes. */
const namesIn = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split(" | ").map((cell) => cell.trim()));

test("lists each table in the records of processing under the group of the privacy policy", () => {
  const records = readDocument("records-of-processing.md");
  const groups = new Set(Object.values(STORED_IN).filter((group) => group !== null));
  const listed = rowsOf(records)
    .filter(([group = ""]) => groups.has(group as never))
    .flatMap(([group, tables = ""]) => namesIn(tables).map((table) => [table, group]));
  const [, others = ""] = /Tables without a row about a person are (.+)/.exec(records) ?? [];

  expect(Object.fromEntries([...listed, ...namesIn(others).map((table) => [table, null])])).toEqual(
    STORED_IN,
  );
});

test("states each period of the code in the records of processing", () => {
  const rows = rowsOf(readDocument("records-of-processing.md"));
  const periods = rows.flatMap(([name = "", value]) => {
    const [period] = namesIn(name);
    return period !== undefined && period in RETENTION ? [[period, Number(value)]] : [];
  });

  expect(Object.fromEntries(periods)).toEqual(RETENTION);
});

test("lists each receiver of the privacy policy, and the integrations without one", () => {
  const processors = readDocument("processors.md");
  const [, without = ""] = /Without data for others: (.+)/.exec(processors) ?? [];
  const listed = rowsOf(processors).flatMap(([name = ""]) => namesIn(name));
  const [withData, withoutData] = [true, false].map((hasReceiver) =>
    Object.keys(RECEIVERS).filter((name) => (RECEIVERS[name] !== null) === hasReceiver),
  );

  expect(listed.toSorted()).toEqual(withData!.toSorted());
  expect(namesIn(without).toSorted()).toEqual(withoutData!.toSorted());
});
