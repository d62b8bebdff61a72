import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { calls } from "@alcove/contract";
import { sendDm } from "@alcove/contract/messaging";
import { rounds } from "../../src/testing/rounds.ts";
import { fieldsOf, json, multipart } from "./requests.ts";
import { startAttackEnv, type AttackEnv } from "./attack-env.ts";

let env: AttackEnv;
beforeAll(async () => {
  env = await startAttackEnv();
  return env.close;
});

describe("rejects an invalid body and stores nothing", () => {
  const bodies: [string, RequestInit][] = [
    ["half an object", { headers: json, body: '{"likedId":' }],
    ["a list", { headers: json, body: "[1,2,3]" }],
    ["a number", { headers: json, body: "42" }],
    ["a text", { headers: json, body: '"hello"' }],
    ["an object that poisons", { headers: json, body: '{"__proto__":{"isAdmin":true},"a":1}' }],
    ["prototype pollution by constructor", { headers: json, body: '{"constructor":{"prototype":{"a":1}}}' }],
    ["lists within lists", { headers: json, body: `${"[".repeat(100_000)}${"]".repeat(100_000)}` }],
    ["a megabyte of JSON", { headers: json, body: JSON.stringify({ a: "x".repeat(1_000_000) }) }],
    ["JSON of broken letters", { headers: json, body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a]) }],
    [
      "JSON in an unknown charset",
      { headers: { "content-type": "application/json; charset=utf-16" }, body: "{" },
    ],
    ["JSON that claims to be packed", { headers: { ...json, "content-encoding": "gzip" }, body: "not gzip" }],
    ["plain text", { headers: { "content-type": "text/plain" }, body: "hello" }],
    [
      "XML",
      {
        headers: { "content-type": "application/xml" },
        body: "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
      },
    ],
    ["an unheard-of kind", { headers: { "content-type": "x/y; a=b; c" }, body: "hello" }],
    ["a kind that is no kind", { headers: { "content-type": ";;;" }, body: "hello" }],
    ["a form of a megabyte", { body: new URLSearchParams({ a: "x".repeat(1_000_000) }) }],
    ["a form without a boundary", { headers: { "content-type": "multipart/form-data" }, body: "--x" }],
    [
      "a form that breaks off",
      {
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: '--x\r\ncontent-disposition: form-data; name="likedId"\r\n\r\nhalf',
      },
    ],
    [
      "a form part without a name",
      {
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: "--x\r\ncontent-disposition: form-data\r\n\r\nvalue\r\n--x--\r\n",
      },
    ],
    [
      "a form of a thousand fields",
      { body: multipart(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, "x"]))) },
    ],
    [
      "a form of ten files",
      {
        body: multipart(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, new Blob(["x"])]))),
      },
    ],
    ["a form with a field of a megabyte", { body: multipart({ description: "x".repeat(1_000_000) }) }],
    [
      "a form that poisons",
      { body: multipart({ "__proto__[a]": "b", constructor: "c", hasOwnProperty: "d" }) },
    ],
  ];
  const all = calls.filter(({ method, name }) => method !== "GET" && name !== "deleteAccount");
  // Bodies are read in one place, before the call is known.
  const changing = all.slice(-rounds(all.length));

  test.each(bodies)("%s", async (_, init) => {
    for (const call of changing.filter((call) => fieldsOf(call).length === 0))
      await env.sendAndCompare(call, `/ja${call.path}`, init);
    const outcomes = await env.sendAllAndCompare(
      changing.filter((call) => fieldsOf(call).length > 0).map((call) => [call, `/ja${call.path}`, init]),
    );
    for (const { isRejected, summary } of outcomes) expect(isRejected, summary).toBe(true);
  });

  test("does not delete an account for an unreadable body", async () => {
    const deleteAccount = calls.find(({ name }) => name === "deleteAccount")!;
    for (const [, init] of bodies.slice(0, 4)) {
      const jiro = await env.service.member(`jiro-${Math.random().toString(36).slice(2, 8)}`, { at: null });
      env.forgetCounts();
      const outcome = await env.sendAndCompare(deleteAccount, `/en${deleteAccount.path}`, init, jiro);
      expect(outcome.isRejected, outcome.summary).toBe(true);
    }
  });
});

describe("invalid pictures", () => {
  const bomb = () =>
    sharp({
      create: { width: 16_000, height: 16_000, channels: 3, background: "#000" },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
  const pictures: [string, () => Promise<Buffer> | Buffer, number[]][] = [
    [
      "a drawing with a script",
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      [415],
    ],
    ["a page", () => Buffer.from("<!doctype html><script>alert(1)</script>"), [415]],
    ["a few kilobytes that unfold into 256 megapixels", bomb, [413]],
    ["the head of a PNG alone", () => Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"), [415]],
    [
      "a JPEG that breaks off",
      async () => {
        const whole = await sharp({ create: { width: 400, height: 400, channels: 3, background: "#a31" } })
          .jpeg()
          .toBuffer();
        return whole.subarray(0, 200);
      },
      [415],
    ],
    ["a GIF that is a script", () => Buffer.from("GIF89a/*\u0000*/=alert(1)//", "latin1"), [415]],
    ["a document", () => Buffer.from("%PDF-1.7\n1 0 obj"), [415]],
    ["more than ten megabytes", () => Buffer.alloc(11 * 1024 * 1024, 7), [400, 413, 415]],
    ["nothing", () => Buffer.alloc(0), [400, 415, 422]],
  ];

  test.each(pictures)("rejects %s as a message's image", { timeout: 60_000 }, async (_, draw, statuses) => {
    const file = new Blob([new Uint8Array(await draw())], { type: "image/png" });

    env.forgetCounts();
    const outcome = await env.sendAndCompare(sendDm, `/en${sendDm.path}`, {
      body: multipart({ receiverId: "taro", file }),
    });

    expect(statuses, outcome.summary).toContain(outcome.status);
  });
});

test("leaves the members unchanged and able to chat after all attacks", () => env.expectMembersUnharmed());
