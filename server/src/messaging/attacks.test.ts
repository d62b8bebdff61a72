import { expect, test } from "vitest";
import { hanakoAndTaro, serviceForTest } from "../testing/match.ts";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const MULTIPART_TYPE = { "content-type": "multipart/form-data; boundary=x" };

test("rejects invalid messages with an error and stores nothing", async () => {
  const service = await serviceForTest();
  const { hanako } = await hanakoAndTaro(service);
  const json = (value: unknown) => ({ headers: JSON_TYPE, body: JSON.stringify(value) });
  const description = "hello";
  const multipart = (body: string) => ({ headers: MULTIPART_TYPE, body });
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const requests: [number, RequestInit][] = [
    [400, {}],
    [400, json({})],
    [400, json([])],
    [400, json("taro")],
    [400, json({ receiverId: ["taro"], description })],
    [400, json({ receiverId: { $ne: "" }, description })],
    [400, json({ receiverId: 7, description })],
    [400, json({ receiverId: null, description })],
    [400, json({ receiverId: "taro", description: 7 })],
    [400, json({ receiverId: "taro", description: { toString: 1 } })],
    [400, json({ receiverId: "taro", description: "\u202Egnirts" })],
    [400, json({ receiverId: "taro", description: "\uD83D" })],
    [400, json({ receiverId: "taro", description, clientId: 7 })],
    [400, json({ receiverId: "taro", description, clientId: "%" })],
    [400, json({ receiverId: "taro", file: "not a file" })],
    [413, json({ receiverId: "taro", description: "x".repeat(300_000) })],
    [400, { headers: JSON_TYPE, body: '{"receiverId":' }],
    [400, { headers: JSON_TYPE, body: '{"__proto__":{"receiverId":"taro"},"description":"x"}' }],
    [400, { headers: FORM_TYPE, body: "receiverId=taro&description=%00" }],
    [400, multipart("")],
    [400, multipart("--y\r\n")],
    [400, multipart(part("receiverId", "taro"))],
    [
      400,
      multipart(
        `${part("receiverId", "taro")}--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc`,
      ),
    ],
    [413, multipart(`${part("receiverId", "taro")}${part("description", "x".repeat(70_000))}--x--\r\n`)],
    [413, multipart(`${Array.from({ length: 200 }, (_, i) => part(`f${i}`, "1")).join("")}--x--\r\n`)],
    [
      415,
      multipart(
        `${part("receiverId", "taro")}--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n<svg/>\r\n--x--\r\n`,
      ),
    ],
  ];

  for (const [status, init] of requests) {
    const response = await hanako.fetch("/xx/dm/api/dm", { method: "POST", ...init });
    const body = (await response.json()) as Record<string, unknown>;
    expect({ status: response.status, init }).toEqual({ status, init });
    expect(body).toMatchObject({ code: expect.any(String), error_message: expect.any(String) });
  }

  for (const table of ["messages", "conversations", "inbox", "media_files"] as const) {
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test("rejects invalid queries for messages with an error", async () => {
  const { hanako } = await hanakoAndTaro(await serviceForTest());
  const queries: [number, string][] = [
    [400, ""],
    [400, "friendId="],
    [400, `friendId=${"x".repeat(500)}`],
    [400, "friendId=taro&lastId=7"],
    [400, "friendId=taro&afterId=' or 1=1--"],
    [404, "friendId=%00"],
    [404, "friendId=%F0%9F%92%90"],
    [404, "friendId=taro&friendId=nobody"],
    [200, "friendId=TARO&lastId=&afterId="],
    [200, "friendId=taro&afterId=ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ];

  for (const [status, query] of queries) {
    const response = await hanako.fetch(`/dm/api/dm?${query}`);
    expect([query, response.status]).toEqual([query, status]);
  }
});

test("rejects requests without an open session", async () => {
  const { fetch } = await serviceForTest();

  for (const [method, path] of [
    ["GET", "/en/dm/api/last-dms"],
    ["GET", "/en/dm/api/dm?friendId=taro"],
    ["POST", "/en/dm/api/dm"],
  ] as const) {
    for (const authorization of ["", "Bearer", "Bearer x", "Bearer a.b.c", "Basic eDp5"]) {
      const response = await fetch(path, { method, headers: { authorization } });
      expect([path, authorization, response.status]).toEqual([path, authorization, 401]);
    }
  }
});
