import { beforeAll, describe, test } from "vitest";
import type { Call } from "@alcove/contract";
import { callsWithFields, fieldsOf, json, jsonWith, multipart, urlEncoded } from "./requests.ts";
import { startAttackEnv, type AttackEnv, type AttackRequest } from "./attack-env.ts";
import { VALID_INPUTS } from "./valid-inputs.ts";

let env: AttackEnv;
beforeAll(async () => {
  env = await startAttackEnv();
  return env.close;
});

const ODD_TEXT = [
  "",
  "   ",
  "\u0000",
  "a\u0000b",
  "😀👨‍👩‍👧‍👦𠮷",
  "\u202Egnp.exe\u202C",
  "مرحبا بالعالم",
  "'; drop table members; --",
  "' or '1'='1",
  "${7*7}{{7*7}}#{7*7}",
  "<img src=x onerror=alert(1)>",
  "../../../../etc/passwd",
  "%00%0d%0aSet-Cookie: a=b",
  "a\r\nBcc: everybody@example.com",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-0",
  "1e999",
  "0x10",
  "9".repeat(400),
  "2000-02-30",
  "00000000-0000-0000-0000-000000000000",
  "x".repeat(60_000),
  "é".normalize("NFD").repeat(3_000),
];

/** JSON texts, because `JSON.stringify` cannot produce some. */
const ODD_JSON = [
  ...ODD_TEXT.map((text) => JSON.stringify(text)),
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e308",
  "1e999",
  "12345678901234567890",
  String.raw`"\ud800"`,
  String.raw`"a\udc00b"`,
  "[]",
  '["taro"]',
  "{}",
  '{"$gt":""}',
  '{"toString":1,"valueOf":null,"length":5}',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
];

/** Of each kind of field: text, number, date, choice, id, file. The validation of all calls is generated in one place. */
const QUICK = new Set(["logIn", "saveLocation", "getDms", "sendDm", "createOrder"]);

function testEach(
  some: [string, Call][],
  how: string,
  attack: (name: string, call: Call) => Promise<void>,
): void {
  for (const [name, call] of some)
    test(`${name} ${how}`, { tags: QUICK.has(name) ? [] : "long", timeout: 120_000 }, () =>
      attack(name, call),
    );
}

describe("an unusual field value is rejected without a trace or accepted", () => {
  testEach(
    callsWithFields.filter(([, call]) => call.method !== "GET"),
    "as JSON",
    async (name, call) => {
      for (const field of fieldsOf(call)) {
        await env.sendAllAndCompare(
          ODD_JSON.map((value) => [
            call,
            `/en${call.path}`,
            { headers: json, body: jsonWith(VALID_INPUTS[name]!, field, value) },
          ]),
        );
      }
    },
  );

  testEach(callsWithFields, "as a form or a query", async (name, call) => {
    for (const field of fieldsOf(call)) {
      const isQuery = call.method === "GET";
      await env.sendAllAndCompare(
        ODD_TEXT.map((text) => {
          const fields = { ...VALID_INPUTS[name]!, [field]: isQuery ? text.slice(0, 2_500) : text };
          return isQuery
            ? [call, `/en${call.path}?${urlEncoded(fields).toString()}`, {}]
            : [call, `/en${call.path}`, { body: multipart(fields) }];
        }),
      );
    }
  });

  testEach(
    callsWithFields,
    "with a missing, repeated, bracketed, file or unknown field",
    async (name, call) => {
      const valid = VALID_INPUTS[name]!;
      for (const field of fieldsOf(call)) {
        const { [field]: value, ...others } = valid;
        const variants: [string, string][][] = [
          [],
          [
            [field, "odd"],
            [field, String(value)],
          ],
          [[`${field}[]`, String(value)]],
          [[`${field}[a][b]`, String(value)]],
          [[field.toUpperCase(), String(value)]],
          [
            [field, String(value)],
            ["__proto__", "x"],
            ["constructor", "y"],
            ["member_no", "1"],
            ["account_status", "suspended"],
          ],
        ];
        const isQuery = call.method === "GET";
        const requests = variants.map((more): AttackRequest => {
          const query = urlEncoded(others);
          for (const [key, text] of more) query.append(key, text);
          return isQuery
            ? [call, `/en${call.path}?${query.toString()}`, {}]
            : [call, `/en${call.path}`, { body: query }];
        });
        if (!isQuery) {
          const asFile = { ...others, [field]: new Blob(["not a picture"], { type: "image/png" }) };
          requests.push([call, `/en${call.path}`, { body: multipart(asFile) }]);
        }
        await env.sendAllAndCompare(requests);
      }
    },
  );
});

test("leaves the members unchanged and able to chat after all attacks", () => env.expectMembersUnharmed());
