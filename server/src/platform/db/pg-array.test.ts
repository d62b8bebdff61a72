import { expect, inject, test } from "vitest";
import { arrayLiteral } from "./pg-array.ts";
import { connectAlone } from "./database.ts";

test("writes array literals that PostgreSQL reads back unchanged", async () => {
  const { client, close } = await connectAlone(inject("postgresUrl"));
  const texts = [
    "",
    " ",
    "a",
    "1e5",
    "null",
    "NULL",
    "Null",
    "nul",
    '"',
    "\\",
    '\\"',
    "{}",
    "{a,b}",
    "a,b",
    "'",
    "a\nb",
  ];
  texts.push(
    "\t",
    "花子",
    "👨‍👩‍👧",
    "\\x00",
    "$1",
    "12:abc",
    "+1",
    "-",
    "01890a5d-ac96-774b-bcce-b302099a8057",
    "x".repeat(5_000),
  );
  const arrays: [type: string, elements: Parameters<typeof arrayLiteral>[0]][] = [
    ["text", texts],
    ["text", []],
    ["text", [null, "null", null]],
    ["int8", [0, -1, Number.MAX_SAFE_INTEGER, null]],
    ["bytea", [Buffer.alloc(0), Buffer.from([0, 34, 92, 255]), null]],
    ["uuid", ["01890a5d-ac96-774b-bcce-b302099a8057", null]],
    ["timestamptz", [new Date(0), new Date("2026-02-28T23:59:59.999Z"), null]],
  ];
  try {
    for (const [type, elements] of arrays) {
      const { rows } = await client.query<{ element: unknown }>(
        `select element from unnest($1::${type}[]) with ordinality as given (element, at) order by at`,
        [arrayLiteral(elements)],
      );
      expect(
        rows.map(({ element }) => element),
        type,
      ).toEqual(elements);
    }
  } finally {
    await close();
  }
});
