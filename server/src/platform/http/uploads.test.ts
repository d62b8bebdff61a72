import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkSignUpCode } from "@alcove/contract/accounts";
import { CODE_MISSES, IMAGE_MAX_BYTES } from "@alcove/contract/limits";
import { startMailbox } from "@alcove/test-services/mail";
import { eventually, testService, type TestService } from "../../testing/test-service.ts";
import { requestSignUpCodeFor } from "../../testing/sign-up.ts";
import { UploadMemory } from "./upload-memory.ts";

const FORM = "/en/users/api/sign-up-icon-preview";
const END = "\r\n--b--\r\n";
const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const PICTURE =
  '--b\r\ncontent-disposition: form-data; name="icon"; filename="icon.png"\r\n\r\nthe beginning of a picture';
const REST = Buffer.alloc(IMAGE_MAX_BYTES - 1024, 7);

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
let service: TestService;
beforeAll(async () => {
  service = await testService({ config: { trustProxy: true, smtpUrl: mailbox.url } });
});

/** An unfinished form. The server starts to read it when it requests the rest. */
async function beginForm(
  network: string,
  start: string | Buffer,
  { path = FORM, headers }: { path?: string; headers?: Record<string, string> } = {},
): Promise<ClientRequest> {
  const form = request(`${service.url}${path}`, {
    agent: false,
    method: "POST",
    headers: {
      "content-type": "multipart/form-data; boundary=b",
      "x-forwarded-for": network,
      expect: "100-continue",
      ...headers,
    },
  });
  form.on("error", () => undefined);
  onTestFinished(() => void form.destroy());
  form.flushHeaders();
  await once(form, "continue");
  form.write(start);
  return form;
}

const beginFour = (network: string, start: string) =>
  Promise.all(Array.from({ length: 4 }, () => beginForm(network, start)));

async function responseTo(
  form: ClientRequest,
): Promise<{ status: number; retryAfter?: string; body: string }> {
  const [response] = (await once(form, "response")) as [IncomingMessage];
  const chunks = await response.toArray();
  const retryAfter = response.headers["retry-after"];
  return {
    status: response.statusCode!,
    ...(retryAfter && { retryAfter }),
    body: Buffer.concat(chunks).toString(),
  };
}

const statusOf = async (form: ClientRequest): Promise<number> => (await responseTo(form)).status;

test("reads four uploads of one network at once and lets a fifth wait", async () => {
  const slow = await beginFour("2001:db8:1:2::1", PICTURE);
  let isDone = false;
  const fifth = await beginForm("2001:db8:1:2::2", PICTURE);
  const status = statusOf(fifth).finally(() => (isDone = true));
  fifth.end(END);

  for (let i = 0; i < 5; i++) {
    const other = await beginForm("203.0.113.7", PICTURE);
    other.end(END);
    expect(await statusOf(other)).toBe(400);
  }
  expect(isDone).toBe(false);

  slow[0]!.end(END);
  expect(await statusOf(slow[0]!)).toBe(400);
  expect(await status).toBe(400);
  for (const form of slow.slice(1)) {
    form.end(END);
    expect(await statusOf(form)).toBe(400);
  }
});

test("takes no place for a form until its file begins", async () => {
  const slow = await beginFour("198.51.100.5", field("email", "slow@example.com"));

  const form = await beginForm("198.51.100.5", PICTURE);
  form.end(END);

  expect(await statusOf(form)).toBe(400);
  for (const other of slow) {
    other.end(END);
    expect(await statusOf(other)).toBe(400);
  }
});

test("reads the file of a visitor with a code beside four unfinished ones of strangers in the network", async () => {
  const email = "neighbour@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const slow = await beginFour("198.51.100.6", field("email", email) + PICTURE);

  const form = await beginForm("198.51.100.6", field("email", email) + field("code", code) + PICTURE);
  form.end(END);

  expect(await statusOf(form)).toBe(415);
  for (const other of slow) {
    other.end(END);
    expect(await statusOf(other)).toBe(400);
  }
});

test("ends the oldest of the network with the most unfinished bodies when there are too many", async () => {
  const beginJson = (network: string) =>
    beginForm(network, "{", { path: "/en/api/token/", headers: { "content-type": "application/json" } });
  const neighbour = await beginJson("203.0.113.1");
  const oldest = await beginJson("198.51.100.8");
  const ended = statusOf(oldest);
  for (let i = 1; i < 250; i++) await beginJson(`198.51.100.${i}`);

  expect(await ended).toBe(408);
  neighbour.end("}");
  expect(await statusOf(neighbour)).toBe(400);
});

test("rejects a second file of a field before it arrives", async () => {
  const form = await beginForm("198.51.100.1", `${PICTURE}\r\n${PICTURE}`);

  expect(await statusOf(form)).toBe(413);
});

test("rejects a form whose fields are larger together than a body of JSON", async () => {
  const large = Array.from({ length: 6 }, (_, i) => field(`f${i}`, "x".repeat(60_000))).join("");

  expect(await statusOf(await beginForm("198.51.100.2", large))).toBe(413);
});

test("reads no file after a wrong code, and counts the code", async () => {
  const email = "wrong@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const wrong = code === "000000" ? "000001" : "000000";

  for (let i = 0; i < CODE_MISSES; i++) {
    const form = await beginForm("198.51.100.3", field("email", email) + field("code", wrong) + PICTURE);
    const { status, body } = await responseTo(form);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      expect.objectContaining({ validation_errors: { code: ["code_wrong"] } }),
    ]);
  }

  expect(await service.call(checkSignUpCode, { email, code })).toBe(true);
  const closed = await beginForm("198.51.100.3", field("email", email) + field("code", code) + PICTURE);
  expect(await statusOf(closed)).toBe(400);
});

test("keeps 32 megabytes of strangers' files in memory, and reads that of a visitor with a code beside them", async () => {
  const email = "known@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const begin = (i: number) => beginForm(`192.0.2.${i}`, Buffer.concat([Buffer.from(PICTURE), REST]));
  const forms = await Promise.all([0, 1, 2, 3, 4].map(begin));
  let refused = 0;
  for (const form of forms)
    responseTo(form).then(
      ({ status, retryAfter }) => (refused += status === 503 && retryAfter === "30" ? 1 : 0),
      () => undefined,
    );

  // Two at the same time may leave place for another one.
  await eventually(() => expect(refused).toBeGreaterThanOrEqual(2));
  const known = await beginForm("192.0.2.8", field("email", email) + field("code", code) + PICTURE);
  known.write(REST);
  known.end(END);

  expect(await statusOf(known)).toBe(415);
  for (const form of forms) form.destroy();
  await eventually(async () => {
    const form = await begin(10);
    form.end(END);
    expect(await statusOf(form)).toBe(400);
  });
}, 60_000);

test("holds 256 megabytes of files at most, until their forms are handled", async () => {
  const memory = new UploadMemory();
  const taken = (bytes: number, isProven = true) =>
    memory
      .run(async ({ take }) => take(bytes, isProven))
      .then(
        () => true,
        () => false,
      );
  const most = 256 * 1024 * 1024;

  const hold = Promise.withResolvers<void>();
  const first = memory.run(async ({ take }) => {
    take(most - 10, true);
    await hold.promise;
  });

  expect([await taken(10), await taken(11)]).toEqual([true, false]);
  hold.resolve();
  await first;
  expect([await taken(most), await taken(most + 1)]).toEqual([true, false]);
  expect([await taken(most / 8, false), await taken(most / 8 + 1, false)]).toEqual([true, false]);
});

test("ends a form without progress after twenty seconds", { tags: "long", timeout: 40_000 }, async () => {
  const form = await beginForm("198.51.100.4", PICTURE);

  expect(await statusOf(form)).toBe(408);
});
