import { createECDH } from "node:crypto";
import { connect } from "node:net";
import { SignJWT } from "jose";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls, errors, type Call } from "@alcove/contract";
import { getOwnUser } from "@alcove/contract/accounts";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { startMailbox } from "@alcove/test-services/mail";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { match } from "./match.ts";
import { eventually, testService, type TestMember, type TestService } from "./test-service.ts";
import { signUpForm } from "./sign-up.ts";

const mailbox = await startMailbox();
let service: TestService;
let hanako: TestMember;
let taro: TestMember;
beforeAll(async () => {
  service = await testService({ config: { smtpUrl: mailbox.url } });
  hanako = await service.member("hanako", { paid: true, password: "quiet-evenings-7" });
  taro = await service.member("taro", { paid: true });
  await match(hanako, taro);
});
afterAll(() => mailbox.close());

const form = signUpForm({ email: "asks@example.com", code: "000000", userId: "newcomer" });

/** A valid input of each call. Where a valid one would destroy data, it names an unknown user or a wrong code. */
const RIGHT: Record<string, Record<string, unknown>> = {
  botChallenge: { action: "SignUp" },
  requestSignUpCode: {
    email: "asks@example.com",
    agree_privacy_policy: "yes",
    agree_tos: "yes",
    agree_sensitive: "yes",
  },
  previewSignUpIcon: {
    email: "asks@example.com",
    code: "000000",
    icon: form.icon,
  },
  checkSignUpCode: { email: "asks@example.com", code: "000000" },
  register: { ...form, tall: "5.04" },
  requestResetCode: { email: "asks@example.com" },
  checkResetCode: { email: "asks@example.com", code: "000000" },
  resetPassword: {
    email: "asks@example.com",
    code: "000000",
    password: "quiet-evenings-8",
    passwordConfirmation: "quiet-evenings-8",
  },
  changePassword: {
    password: "not this one",
    newPassword: "quiet-evenings-8",
    newPasswordConfirmation: "quiet-evenings-8",
  },
  logIn: { user_id: "hanako", password: "not this one", device: "a".repeat(32) },
  socialAccountExists: { provider: "google", accessToken: "not-a-token" },
  readSocialAccount: { provider: "google", accessToken: "not-a-token" },
  logInSocially: { provider: "google", accessToken: "not-a-token", device: "a".repeat(32) },
  refreshTokens: { refresh: "not.a.token" },
  logOut: { token: "not.a.token" },
  getOwnUser: {},
  confirmPassword: { password: "not this one" },
  deleteAccount: {},
  getSessions: {},
  endSession: { sessionId: "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e" },
  endOtherSessions: {},
  getWsTicket: {},
  getExportTicket: {},
  exportData: {},
  saveLocation: { location: "139.7,35.6" },
  saveFilter: {
    search_sex: "all",
    search_range_unit: "km",
    search_min_range: 0,
    search_max_range: 500,
    search_min_age: 18,
    search_max_age: 120,
  },
  saveProfile: {
    username: "hanako",
    description: "Hello.",
    how_long_married: 12,
    how_long_married_unit: "year",
    tall: "5.04",
    tall_unit: "feet inches",
    weight: 60,
    weight_unit: "kg",
    salary: 1_000,
    salary_unit: "USD",
    salary_duration: "month",
    purpose: "Company",
    hobby: "Kites",
    twitter: "https://x.example/hanako",
    icon_process: "yes",
  },
  previewIcon: { icon: form.icon },
  getClearIconViewers: {},
  showClearIcon: { userId: "nobody-here" },
  hideClearIcon: { userId: "nobody-here" },
  getOptions: { ids: "taro,nobody" },
  likeUser: { likedId: "nobody-here" },
  passUser: { unlikedId: "nobody-here" },
  undoPass: {},
  getUser: { userId: "taro" },
  getLastDms: {},
  getDms: {
    friendId: "taro",
    lastId: "01890a5d-ac96-774b-bcce-b302099a8057",
    afterId: "01890a5d-ac96-774b-bcce-b302099a8057",
    unsentAfter: 0,
  },
  readDm: { friendId: "taro", dmId: "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e" },
  getReading: {},
  saveReading: { shows_reading: true },
  unsendDm: { friendId: "taro", dmId: "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e" },
  sendDm: { receiverId: "taro", description: "hello", clientId: "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e" },
  getNotifications: {},
  saveNotifications: {
    push: true,
    quiet_hours: true,
    quiet_from: "22:00",
    quiet_to: "07:00",
    time_zone: "Asia/Tokyo",
    digest: false,
  },
  subscribePush: {
    endpoint: "https://push.example.com/send/abc",
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: Buffer.alloc(16).toString("base64url"),
  },
  unsubscribePush: { endpoint: "https://push.example.com/send/abc" },
  sawNews: {},
  endLetters: { token: "not-a-token" },
  blockUser: { userId: "nobody-here" },
  unblockUser: { userId: "nobody-here" },
  getBlocks: {},
  reportUser: {
    userId: "nobody-here",
    reason: "other",
    detail: "something",
    dmId: "01890a5d-ac96-774b-bcce-b302099a8057",
  },
  getNeverSee: {},
  addNeverSee: { who: "nobody-here" },
  createOrder: { currency: "USD", price: 110, year: 1, month: 3 },
  captureOrder: { order_id: "01890a5d-ac96-774b-bcce-b302099a8057" },
  getOrder: { order_id: "01890a5d-ac96-774b-bcce-b302099a8057" },
  getOrders: {},
  checkCoupon: { coupon_id: "NOBODY-HERE" },
  useCoupon: { coupon_id: "NOBODY-HERE" },
  getBrokerageFee: {},
  getTransfers: {},
  transferBrokerage: { email: "payee@example.com", price: 10 },
  removeNeverSee: { id: "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e" },
};

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

const INSIDES =
  /node_modules|\/server\/src|\.ts:\d|\bat async\b|\bat Object\.|select .* from|insert into|syntax error|invalid input syntax|violates|\bpg_|kysely|postgres|\bzod\b|ENOENT/i;

/** Checks that the response is an expected JSON error without internals. */
async function ask(
  call: Call,
  path: string,
  init: RequestInit,
  who: TestMember | null = hanako,
): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (call.access === "member" && who && !headers.has("authorization")) {
    headers.set("authorization", `Bearer ${who.access}`);
  }
  const response = await service.fetch(path, { ...init, headers, method: call.method });
  const body = await response.text();
  const told = `${call.name} ${path.slice(0, 200)} ${typeof init.body === "string" ? init.body.slice(0, 200) : "(form)"} -> ${response.status} ${body.slice(0, 300)}`;

  expect(response.status, told).toBeLessThan(500);
  expect(INSIDES.test(body), told).toBe(false);
  if (response.status === 204) return { status: 204, isRefused: false, told };
  if (call.file && response.status === 200) {
    expect(response.headers.get("content-type"), told).toBe(call.file.type);
    return { status: 200, isRefused: false, told };
  }
  expect(response.headers.get("content-type"), told).toBe("application/json; charset=utf-8");
  const answer = JSON.parse(body) as { code?: string; error_message?: string } | boolean;
  if (response.status >= 400) {
    const { code = "", error_message } = answer as { code?: string; error_message?: string };
    expect(errors, told).toHaveProperty([code], response.status);
    expect(error_message, told).toMatch(/\S/);
  }
  const isRefused =
    response.status >= 400 || (typeof answer === "object" && answer.error_message !== undefined);
  return { status: response.status, isRefused, told };
}

interface Answer {
  status: number;
  isRefused: boolean;
  /** A short summary for a failed assertion. */
  told: string;
}

let tables: string[] | undefined;

/** Row counts of each table once no job is waiting, except the counts that a job updates each minute. */
async function countRows(): Promise<Record<string, number>> {
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from graphile_worker._private_jobs where attempts = 0 or locked_at is not null`.execute(
      service.db,
    );
    expect(rows[0]!.n).toBe(0);
  }, 30_000);
  tables ??= (
    await sql<{
      name: string;
    }>`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'cell_counts'`.execute(
      service.db,
    )
  ).rows.map(({ name }) => name);
  const counts = tables.map((name) => `(select count(*) from ${name}) as ${name}`).join(", ");
  const { rows } = await sql.raw<Record<string, number>>(`select ${counts}`).execute(service.db);
  return rows[0]!;
}

/** Expects that a rejected request changes no table. */
async function askAndCount(call: Call, path: string, init: RequestInit, who?: TestMember): Promise<Answer> {
  const before = await known();
  const answer = await ask(call, path, init, who);
  const after = await countRows();
  if (answer.isRefused) expect(after, answer.told).toEqual(before);
  last = after;
  return answer;
}

let last: Record<string, number> | undefined;
const known = async () => (last ??= await countRows());

type Request = readonly [call: Call, path: string, init: RequestInit];

/** Concurrent requests. */
const AT_ONCE = 4;

/**
 * Like `expectUnchanged` for many requests, with one count for all. If one was accepted, the rejected ones are repeated
 * one by one.
 */
async function askAllAndCount(requests: readonly Request[]): Promise<Answer[]> {
  const before = await known();
  const answers: Answer[] = [];
  const left = requests.entries();
  const askOn = async () => {
    for (const [at, request] of left) answers[at] = await ask(...request);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));

  last = undefined;
  const refused = requests.filter((_, at) => answers[at]!.isRefused);
  if (refused.length === requests.length) expect(await known(), requests[0]?.[0].name).toEqual(before);
  else for (const request of refused) await askAndCount(...request);
  return answers;
}

/** Form or query fields; files need a multipart form. */
function written(fields: Record<string, unknown>): URLSearchParams {
  const filled = Object.entries(fields).filter(([, value]) => value != null && !(value instanceof Blob));
  return new URLSearchParams(filled.map(([name, value]): [string, string] => [name, String(value)]));
}

function multipart(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value, "picture.png");
    else if (value != null) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

function inJson(fields: Record<string, unknown>, name: string, value: string): string {
  const { [name]: _, icon: __, ...others } = fields;
  return `${JSON.stringify(others).slice(0, -1)}${Object.keys(others).length > 0 ? "," : ""}${JSON.stringify(name)}:${value}}`;
}

const json = { "content-type": "application/json" };
const fieldsOf = (call: Call): string[] => Object.keys(call.input._zod.def.shape);
const named = calls.map((call): [string, Call] => [call.name, call]);
const withFields = named.filter(([, call]) => fieldsOf(call).length > 0);

describe("every call of the contract", () => {
  test.each(named)("%s responds, with an error message in every language", async (name, call) => {
    expect(RIGHT).toHaveProperty(name);
    const response = await service.fetch(`/en${call.path}`, { method: call.method });

    expect([404, 405]).not.toContain(name === "botChallenge" ? 0 : response.status);
    if (call.access === "member") expect(response.status).toBe(401);
    for (const language of languages) {
      for (const code of call.errors) expect(allTranslations[language].errors[code]).toMatch(/\S/);
    }
  });

  test.each(named.filter(([, call]) => call.access === "member"))(
    "%s requires an active session",
    async (_, call) => {
      const key = new TextEncoder().encode("somebody else's key");
      const forged = await new SignJWT({ sid: "x" })
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(key);
      const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${hanako.access.split(".")[1]}.`;
      const headers = [
        "",
        "Bearer",
        "Bearer null",
        "Basic aGFuYWtvOng=",
        `Bearer ${forged}`,
        `Bearer ${unsigned}`,
      ];
      headers.push(
        `Bearer ${hanako.access}x`,
        `Bearer ${hanako.refresh}`,
        `Bearer ${"a".repeat(8_000)}`,
        "Bearer ' or 1=1",
      );

      for (const authorization of headers) {
        const answer = await ask(call, `/en${call.path}`, { headers: { authorization } }, null);
        expect(answer.status, answer.told).toBe(401);
      }
    },
  );
});

describe("an unusual field value is rejected without a trace or accepted", () => {
  test.each(withFields.filter(([, call]) => call.method !== "GET"))(
    "%s, as JSON",
    { timeout: 120_000 },
    async (name, call) => {
      for (const field of fieldsOf(call)) {
        await askAllAndCount(
          ODD_JSON.map((value) => [
            call,
            `/en${call.path}`,
            { headers: json, body: inJson(RIGHT[name]!, field, value) },
          ]),
        );
      }
    },
  );

  test.each(withFields.filter(([, call]) => call.allowOverSocket))(
    "%s over the socket, with the same response as over HTTP",
    { timeout: 120_000 },
    async (name, call) => {
      const socket = await hanako.socket("/ws/events");
      for (const field of fieldsOf(call)) {
        // The size limit of a frame.
        const values = ODD_JSON.filter(({ length }) => length < 30_000);
        const bodies = values.map((value) => inJson(RIGHT[name]!, field, value));
        const posted = await askAllAndCount(
          bodies.map((body) => [call, `/en${call.path}`, { headers: json, body }]),
        );
        const before = await known();
        for (const [at, { status, told }] of posted.entries()) {
          const answer = await socket.call(call, bodies[at]!);
          expect(answer.status, told).toBe(status);
          expect(INSIDES.test(JSON.stringify(answer.body)), told).toBe(false);
        }
        if (posted.every(({ isRefused }) => isRefused)) expect(await countRows(), field).toEqual(before);
        else last = undefined;
      }
    },
  );

  test.each(withFields)("%s as a form or a query", { timeout: 120_000 }, async (name, call) => {
    for (const field of fieldsOf(call)) {
      const isQuery = call.method === "GET";
      await askAllAndCount(
        ODD_TEXT.map((text) => {
          const fields = { ...RIGHT[name]!, [field]: isQuery ? text.slice(0, 2_500) : text };
          return isQuery
            ? [call, `/en${call.path}?${written(fields).toString()}`, {}]
            : [call, `/en${call.path}`, { body: multipart(fields) }];
        }),
      );
    }
  });

  test.each(withFields)(
    "%s with a missing, repeated, bracketed, file or unknown field",
    async (name, call) => {
      const right = RIGHT[name]!;
      for (const field of fieldsOf(call)) {
        const { [field]: value, ...others } = right;
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
        const requests = variants.map((more): Request => {
          const query = written(others);
          for (const [key, text] of more) query.append(key, text);
          return isQuery
            ? [call, `/en${call.path}?${query.toString()}`, {}]
            : [call, `/en${call.path}`, { body: query }];
        });
        if (!isQuery) {
          const asFile = { ...others, [field]: new Blob(["not a picture"], { type: "image/png" }) };
          requests.push([call, `/en${call.path}`, { body: multipart(asFile) }]);
        }
        await askAllAndCount(requests);
      }
    },
  );
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
  const changing = calls.filter(({ method, name }) => method !== "GET" && name !== "deleteAccount");

  test.each(bodies)("%s", async (_, init) => {
    for (const call of changing.filter((call) => fieldsOf(call).length === 0))
      await askAndCount(call, `/ja${call.path}`, init);
    const answers = await askAllAndCount(
      changing.filter((call) => fieldsOf(call).length > 0).map((call) => [call, `/ja${call.path}`, init]),
    );
    for (const { isRefused, told } of answers) expect(isRefused, told).toBe(true);
  });

  test("does not delete an account for an unreadable body", async () => {
    const deleteAccount = calls.find(({ name }) => name === "deleteAccount")!;
    for (const [, init] of bodies.slice(0, 4)) {
      const leaving = await service.member(`leaving-${Math.random().toString(36).slice(2, 8)}`, { at: null });
      last = undefined;
      const answer = await askAndCount(deleteAccount, `/en${deleteAccount.path}`, init, leaving);
      expect(answer.isRefused, answer.told).toBe(true);
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

    last = undefined;
    const answer = await askAndCount(sendDm, `/en${sendDm.path}`, {
      body: multipart({ receiverId: "taro", file }),
    });

    expect(statuses, answer.told).toContain(answer.status);
  });
});

test("responds to a malformed URL with an error, never with a page or a bug", async () => {
  const raw = (head: string) =>
    new Promise<string>((done, fail) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname, () =>
        socket.end(`${head}\r\nhost: x\r\nconnection: close\r\n\r\n`),
      );
      let text = "";
      socket.on("data", (data) => (text += String(data)));
      socket.on("close", () => done(text));
      socket.on("error", fail);
    });
  const paths = [
    "/en/../../etc/passwd",
    "/en/%2e%2e/%2e%2e/etc/passwd",
    "/en/..%2f..%2fetc%2fpasswd",
    "/media/i/..%2f..%2fsecrets.json",
    "/media/m/%00",
    "/media/../secrets.json",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/%00/users/api/user",
    "/en%00/users/api/user",
    `/${"x".repeat(2_000)}/users/api/user`,
    "/en/users/api/user%ff",
    "/en/users/api/get-user?userId=%E0%A4%A",
    "//evil.example/users/api/user",
    "/\\evil.example",
    "/en;a=b/users/api/user",
    "/EN/users/api/user/../like",
    `/en/users/api/get-options?${"ids=a&".repeat(2_000)}`,
  ];

  for (const path of paths) {
    const text = await raw(`GET ${path} HTTP/1.1`);
    expect(text, path).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(text, path).toContain('"error_message"');
    expect(INSIDES.test(text), text).toBe(false);
  }
  for (const head of [
    `GET /${"x".repeat(20_000)} HTTP/1.1`,
    "GET / HTTP/9.9",
    "NONSENSE",
    `GET / HTTP/1.1\r\na: ${"x".repeat(20_000)}`,
  ]) {
    const text = await raw(head);
    expect(text, head.slice(0, 50)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(INSIDES.test(text), text).toBe(false);
  }
});

test("ignores a call with another method", async () => {
  const before = await countRows();

  for (const path of new Set(calls.map(({ path }) => path))) {
    const own = new Set(calls.filter((call) => call.path === path).map(({ method }): string => method));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"]) {
      if (own.has(method) || (method === "HEAD" && own.has("GET"))) continue;
      const headers = { authorization: `Bearer ${hanako.access}`, "x-http-method-override": [...own][0]! };
      const { status } = await service.fetch(`/en${path}`, { method, headers });
      expect(method === "OPTIONS" ? [204] : [404, 405], `${method} ${path}`).toContain(status);
    }
  }
  expect(await countRows()).toEqual(before);
});

test("responds in English to unknown languages", async () => {
  for (const language of [
    "EN",
    "fr",
    "zh",
    "zh-Hant",
    "%F0%9F%98%80",
    "..",
    "constructor",
    "__proto__",
    "a".repeat(500),
  ]) {
    const response = await service.fetch(`/${language}/users/api/blocks`);
    const { error_message } = (await response.json()) as { error_message: string };
    expect(["Please login first", "Not found."], language).toContain(error_message);
  }
});

test("leaves the members unchanged and able to chat after all attacks", async () => {
  const { user } = await hanako.call(getOwnUser, {});
  const { dm } = await hanako.call(sendDm, { receiverId: "taro", description: "Still here." });
  const { dms } = await taro.call(getDms, { friendId: "hanako" });

  expect(user).toMatchObject({ user_id: "hanako", username: "hanako", status: "paid" });
  expect(dms.at(-1)).toMatchObject({ id: dm.id, description: "Still here." });
  expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
});
