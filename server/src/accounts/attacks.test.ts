import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call } from "@alcove/contract";
import {
  botChallenge,
  checkSignUpCode,
  deleteAccount,
  getOwnUser,
  getWsTicket,
  logIn,
  logOut,
  refreshTokens,
  register,
  requestSignUpCode,
} from "@alcove/contract/accounts";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { serviceForTest } from "../testing/match.ts";
import { testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { requestSignUpCodeFor, signUpForm } from "../testing/sign-up.ts";

let mailbox: Mailbox;
let service: TestService;
let hanako: TestMember;
beforeAll(async () => {
  mailbox = await startMailbox();
  service = await testService({ config: { smtpUrl: mailbox.url, botCheck: "altcha" } });
  hanako = await service.member("hanako", { at: null });
});
afterAll(() => mailbox.close());

const ODD_TEXT = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "😀👨‍👩‍👧‍👦",
  "\u202Eevil",
  "\ud800",
  "مرحبا",
  "'; drop table members; --",
  "%00",
  "..%2f..",
  "null",
  "NaN",
  "-1",
  "1e999",
  "{}",
  "[]",
  "<script>alert(1)</script>",
  "x".repeat(50_000),
  "\r\nBcc: a@example.com",
];
const ODD_JSON: unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  [],
  [[]],
  {},
  { toString: 1 },
  ["a", "b"],
  { $ne: null },
  ...ODD_TEXT,
];

interface ResponseData {
  status: number;
  body: string;
}

async function send(call: Call, init: RequestInit, language = "en"): Promise<ResponseData> {
  const headers = new Headers(init.headers);
  if (call.access === "member" && !headers.has("authorization")) {
    headers.set("authorization", `Bearer ${hanako.access}`);
  }
  const response = await service.fetch(`/${language}${call.path}`, { ...init, headers, method: call.method });
  return { status: response.status, body: await response.text() };
}

/** Checks for an expected JSON error with a code and without internals. */
function expectClear({ status, body }: ResponseData): void {
  expect(status, body).toBeLessThan(500);
  expect(body).not.toMatch(/select |insert |node_modules|\/server\/|\bstack\b|\bzod\b/i);
  if (status >= 400)
    expect(JSON.parse(body)).toMatchObject({
      code: expect.any(String),
      error_message: expect.stringMatching(/\S/),
    });
}

const json = (value: unknown): RequestInit => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
const withBody = [requestSignUpCode, checkSignUpCode, register, logIn, refreshTokens, logOut, getWsTicket];

test.each(withBody.map((call) => [call.name, call] as const))(
  "%s rejects fields when their kind is odd",
  async (_, call) => {
    const fields = Object.keys(call.input._zod.def.shape);
    for (const odd of ODD_JSON) {
      expectClear(await send(call, json(Object.fromEntries(fields.map((name) => [name, odd])))));
    }
    for (const odd of ODD_TEXT) {
      expectClear(
        await send(call, { body: new URLSearchParams(fields.map((name): [string, string] => [name, odd])) }),
      );
      const form = new FormData();
      for (const name of fields) form.append(name, odd);
      expectClear(await send(call, { body: form }));
    }
  },
);

test.each(withBody.map((call) => [call.name, call] as const))(
  "%s rejects bodies when they are broken or huge",
  async (_, call) => {
    const type = (value: string) => ({ "content-type": value });
    const bodies: RequestInit[] = [
      { headers: type("application/json"), body: "{" },
      { headers: type("application/json"), body: "" },
      { headers: type("application/json"), body: "[1,2]" },
      { headers: type("application/json"), body: '"text"' },
      { headers: type("application/json"), body: '{"__proto__":{"polluted":1},"constructor":1}' },
      { headers: type("application/json"), body: `{"email":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
      { headers: type("application/json"), body: JSON.stringify({ email: "x".repeat(300_000) }) },
      { headers: type("application/x-www-form-urlencoded"), body: "%E0%A4%A&email=%ff&=&&&" },
      { headers: type("application/x-www-form-urlencoded"), body: "a=1&".repeat(20_000) },
      { headers: type("multipart/form-data"), body: "no boundary" },
      {
        headers: type("multipart/form-data; boundary=b"),
        body: '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\ncut off',
      },
      { headers: type("multipart/form-data; boundary=b"), body: "--b--" },
      {
        headers: type("multipart/form-data; boundary=b"),
        body: `--b\r\n${"X-A: b\r\n".repeat(5_000)}\r\n\r\n--b--`,
      },
      { headers: type("text/plain"), body: "hello" },
      { headers: type("application/xml"), body: "<a/>" },
      { headers: type("image/png"), body: "png" },
    ];
    for (const body of bodies) expectClear(await send(call, body));

    const large = new FormData();
    large.append("icon", new File([new Uint8Array(11 * 1024 * 1024)], "icon.png"));
    expectClear(await send(call, { body: large }));
    const many = new FormData();
    for (let i = 0; i < 150; i++) many.append(`field${i}`, "x");
    expectClear(await send(call, { body: many }));
  },
);

test("responds clearly when queries or languages are odd, in English when the language is unknown", async () => {
  for (const odd of ODD_TEXT.slice(0, -2)) {
    const query = new URLSearchParams({ action: odd });
    const response = await service.fetch(`/en${botChallenge.path}?${query.toString()}`);
    expectClear({ status: response.status, body: await response.text() });
    expect(response.status).toBe(400);
  }
  for (const language of ["xx", "EN", "zh", "%00", "%F0%9F%98%80", "a".repeat(500)]) {
    const response = await send(logIn, json({ user_id: "x", password: "y" }), language);
    expectClear(response);
    if (response.status === 401) expect(response.body).toContain("ID or password is incorrect");
  }
});

test("rejects odd authorization headers as logged out", async () => {
  for (const call of [getOwnUser, deleteAccount, getWsTicket]) {
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Basic eDp5",
      "Bearer a.b.c",
      `Bearer ${"x".repeat(5_000)}`,
      "Bearer \u00ff",
    ]) {
      const response = await send(call, { headers: { authorization } });
      expect(response.status).toBe(401);
      expectClear(response);
    }
  }
});

test("returns the field's error and stores nothing when one field of a complete form is odd", async () => {
  const free = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  const email = "whole@example.com";
  const code = await requestSignUpCodeFor(free, mailbox, email);
  const good = signUpForm({ email, code });
  const odd: [string, string][] = [
    ["userId", "😀😀😀"],
    ["userId", "ab"],
    ["userId", "a".repeat(31)],
    ["userId", "Admin"],
    ["userId", "\u202Eabc"],
    ["username", "\u0000"],
    ["username", "\u202Eolleh"],
    ["username", "x".repeat(51)],
    ["username", "   "],
    ["sex", "other"],
    ["date_of_birth", "1983-02-30"],
    ["date_of_birth", "06/05/1983"],
    ["date_of_birth", "２０００-01-01"],
    ["description", "x".repeat(5_001)],
    ["how_long_married", "-1"],
    ["how_long_married", "1e400"],
    ["how_long_married_unit", "decade"],
    ["tall", "5.12"],
    ["tall", "abc"],
    ["weight", "-5"],
    ["salary", "1e30"],
    ["salary_unit", "EUR"],
    ["salary_duration", "hour"],
    ["twitter", "javascript:alert(1)"],
    ["line", "https://user:pass@example.com"],
    ["facebook", "not a url"],
    ["search_sex", "both"],
    ["search_max_range", "501"],
    ["search_min_age", "-1"],
    ["search_max_age", "30.5"],
    ["password", "short"],
    ["password", "😀".repeat(129)],
    ["passwordConfirmation", "other"],
    ["email", "a@b"],
    ["code", " "],
  ];

  for (const [field, value] of odd) {
    const form = new FormData();
    for (const [name, kept] of Object.entries({ ...good, [field]: value })) {
      form.append(name, kept instanceof File ? kept : String(kept ?? ""));
    }
    const response = await free.fetch(`/en${register.path}`, { method: "POST", body: form });
    const body = (await response.json()) as { validation_errors?: Record<string, string[]> };
    const snake = field.replaceAll(/[A-Z]/g, (sentEmail) => `_${sentEmail.toLowerCase()}`);

    expect(response.status, `${field}=${value.slice(0, 40)}`).toBe(400);
    expect(Object.keys(body.validation_errors ?? {}), `${field}=${value.slice(0, 40)}`).toContain(snake);
  }
  for (const table of ["logins", "members", "email_index", "profiles", "media_files"] as const) {
    expect(await free.db.selectFrom(table).select("member_no").execute()).toEqual([]);
  }

  const { user } = await free.call(register, {
    ...good,
    username: "花子 👩🏽‍🦰 العربية",
    description: "𠮷野家で😀\n**bold** <b>",
  });
  expect(user).toMatchObject({ username: "花子 👩🏽‍🦰 العربية", description: "𠮷野家で😀\n**bold** <b>" });
});
