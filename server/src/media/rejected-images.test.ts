import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSignUpCode, register } from "@alcove/contract/accounts";
import { IMAGE_MAX_BYTES } from "@alcove/contract/limits";
import { sendDm } from "@alcove/contract/messaging";
import { startMailbox } from "@alcove/test-services/mail";
import { hanakoAndTaro } from "../testing/match.ts";
import { CallError, testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { requestSignUpCodeFor, signUpForm } from "../testing/sign-up.ts";
import { readFiles } from "../testing/data-traces.ts";
import {
  blackSquare,
  fileOf,
  jpegOfScans,
  plainPicture,
  pngWithSize,
  quarters,
} from "../testing/sample-pictures.ts";

const EMAIL = "jiro@example.com";
const mailbox = await startMailbox();
afterAll(() => mailbox.close());

let service: TestService;
let hanako: TestMember;
let code: string;

beforeAll(async () => {
  service = await testService({ config: { smtpUrl: mailbox.url } });
  ({ hanako } = await hanakoAndTaro(service));
  code = await requestSignUpCodeFor(service, mailbox, EMAIL);
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const PAGE = "<!doctype html><script>alert(1)</script>";

/** A header of AVIF or HEIC. */
const heif = (brand: string) => Buffer.from(`\0\0\0\u0018ftyp${brand}\0\0\0\0mif1${brand}`, "latin1");

type Rejection = [status: number, code: string, message: string];
const none: Rejection = [415, "not_an_image", "not_an_image"];
const broken: Rejection = [415, "not_an_image", "image_unreadable"];
const tooLarge: Rejection = [413, "too_large", "image_too_many_pixels"];
const tooLong: Rejection = [415, "not_an_image", "image_too_long"];

const pictures: [string, Rejection, () => Promise<Buffer> | Buffer | string][] = [
  ["an SVG with a script", none, () => SVG],
  ["an SVG after an XML declaration", none, () => `<?xml version="1.0"?>${SVG}`],
  ["an SVG after a byte order mark", none, () => `\uFEFF${SVG}`],
  ["an HTML page", none, () => PAGE],
  ["a text", none, () => "a picture, honestly"],
  ["a PDF", none, () => "%PDF-1.7\n1 0 obj"],
  ["a TIFF", none, () => quarters().tiff().toBuffer()],
  [
    "a PDF with a JPEG in it",
    none,
    async () => Buffer.concat([Buffer.from("%PDF-1.7\n"), await quarters().jpeg().toBuffer()]),
  ],
  [
    "an archive with a PNG in it",
    none,
    async () => Buffer.concat([Buffer.from("PK\u0003\u0004"), await quarters().png().toBuffer()]),
  ],
  ["an archive", none, () => "PK\u0003\u0004"],
  ["a single byte", none, () => Buffer.of(0xff)],
  ["an HTML page that starts as a GIF", broken, () => `GIF89a/*${PAGE}*/`],
  [
    "a page that begins as a JPEG",
    broken,
    () => Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), Buffer.from(PAGE)]),
  ],
  ["an SVG that starts as a WebP", broken, () => `RIFF\0\0\0\0WEBP${SVG}`],
  ["only the header of a PNG", broken, () => Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  ["only the header of an AVIF", broken, () => heif("avif")],
  ["a HEIC, which the library does not read", none, () => heif("heic")],
  ["a HEIF of another camera", none, () => heif("mif1")],
  ["a truncated JPEG", broken, async () => (await quarters().jpeg().toBuffer()).subarray(0, -900)],
  [
    "a progressive JPEG without its last rows",
    broken,
    async () => (await quarters().jpeg({ progressive: true }).toBuffer()).subarray(0, -900),
  ],
  ["a truncated PNG", broken, async () => (await quarters().png().toBuffer()).subarray(0, -400)],
  ["a truncated WebP", broken, async () => (await quarters().webp().toBuffer()).subarray(0, -200)],
  ["a small PNG with a large declared size", tooLarge, () => pngWithSize(30_000, 30_000)],
  ["a PNG with the maximum declared width", broken, () => pngWithSize(2 ** 31 - 1, 1)],
  ["a PNG with a declared width of zero", broken, () => pngWithSize(0, 10)],
  ["100 kilobytes that expand to 900 megapixels", tooLarge, () => blackSquare(30_000)],
  ["a GIF that expands to 56 megapixels", tooLarge, () => plainPicture(7_500).gif().toBuffer()],
  [
    "a WebP that expands to 56 megapixels",
    tooLarge,
    () => plainPicture(7_500).webp({ effort: 0 }).toBuffer(),
  ],
  ["a photo of 64 megapixels", tooLarge, () => pngWithSize(9_248, 6_944)],
  ["a screenshot of 23,000 pixels", tooLong, () => plainPicture(1_080, 23_000).png().toBuffer()],
  ["a strip a hundred times as wide as high", tooLong, () => plainPicture(10_000, 100).png().toBuffer()],
  ["a JPEG with 2,000 scans", broken, () => jpegOfScans(4_000, 2_000)],
];

/** All stored rows and files. */
async function readStored() {
  const rows = await Promise.all(
    (["members", "logins", "profiles", "media_files", "messages", "conversations"] as const).map((table) =>
      service.db
        .selectFrom(table)
        .selectAll()
        .orderBy(sql`1`)
        .orderBy(sql`2`)
        .execute(),
    ),
  );
  return { rows, files: (await readFiles(service.dataDir)).filter(({ name }) => name.includes("/media/")) };
}

async function rejectionOf(call: Promise<unknown>, field: string): Promise<unknown[]> {
  const error: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof CallError)) return ["taken"];
  const errors = error.body["validation_errors"] as Record<string, string[]> | undefined;
  return [error.status, error.code, errors?.[field]?.join()];
}

const taroGets = (file: File) => hanako.call(sendDm, { receiverId: "taro", description: "Look!", file });
const jiroSignsUpWith = (icon: File) =>
  service.call(register, signUpForm({ email: EMAIL, code, userId: "jiro", icon }));

test.each(pictures)(
  "rejects %s at sign-up and in a message, quickly and without a trace",
  async (_, error, draw) => {
    const file = fileOf(await draw());
    const before = await readStored();
    const from = process.cpuUsage();

    expect(await rejectionOf(taroGets(file), "file")).toEqual(error);
    expect(await rejectionOf(jiroSignsUpWith(file), "icon")).toEqual(error);

    const { user, system } = process.cpuUsage(from); // other work on the machine does not count
    expect(user + system).toBeLessThan(5_000_000);
    expect(await readStored()).toEqual(before);
  },
);

test.each([
  "../../../../etc/passwd",
  "..\\..\\secrets.json",
  "CON.jpg",
  "a\u202egpj.exe",
  "\u0000.jpg",
  `${"long".repeat(75)}.jpg`,
  "<img src=x onerror=alert(1)>.png",
  "",
])("accepts a picture named %j and stores its name nowhere", async (name) => {
  const before = new Set((await readStored()).files.map((file) => file.name));

  const bytes = new Uint8Array(await quarters().png().toBuffer());
  const { dm } = await hanako.call(sendDm, { receiverId: "taro", file: new File([bytes], name || "x") });

  const shown = await service.fetch(dm.file!);
  expect([
    shown.status,
    shown.headers.get("content-type"),
    shown.headers.get("x-content-type-options"),
  ]).toEqual([200, "image/jpeg", "nosniff"]);
  expect(shown.headers.get("content-disposition")).toBe('inline; filename="picture.jpg"');
  expect(shown.headers.get("content-security-policy")).toMatch(/default-src 'none';.*sandbox/);
  const made = (await readStored()).files.map((file) => file.name).filter((file) => !before.has(file));
  expect(made).toHaveLength(1);
  expect(made[0]).toMatch(/\/media\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
});

test("rejects an empty file as no picture", async () => {
  expect(await rejectionOf(taroGets(fileOf("")), "file")).toEqual([400, "invalid_input", "not_an_image"]);
  expect(await rejectionOf(jiroSignsUpWith(fileOf("")), "icon")).toEqual([
    400,
    "invalid_input",
    "not_an_image",
  ]);
});

test("rejects a file of more than ten megabytes before reading it", async () => {
  const file = fileOf(Buffer.alloc(IMAGE_MAX_BYTES + 1, await plainPicture(9).png().toBuffer()));

  expect(await rejectionOf(taroGets(file), "file")).toEqual([413, "too_large", "image_too_large"]);
  expect(await rejectionOf(jiroSignsUpWith(file), "icon")).toEqual([413, "too_large", "image_too_large"]);
});

test.each([
  ["JPEG without its last marker", async () => (await quarters().jpeg().toBuffer()).subarray(0, -2)],
  ["JPEG with half of its last marker", async () => (await quarters().jpeg().toBuffer()).subarray(0, -1)],
  [
    "progressive JPEG without its last marker",
    async () => (await quarters().jpeg({ progressive: true }).toBuffer()).subarray(0, -2),
  ],
  ["PNG without its last chunk", async () => (await quarters().png().toBuffer()).subarray(0, -12)],
  ["GIF without its last byte", async () => (await quarters().gif().toBuffer()).subarray(0, -1)],
])("accepts a %s, as viewers do", async (_, draw) => {
  expect(await rejectionOf(taroGets(fileOf(await draw())), "file")).toEqual(["taken"]);
});

test("accepts exactly ten megabytes", async () => {
  const png = await plainPicture(9).png().toBuffer();
  const file = fileOf(Buffer.concat([png, Buffer.alloc(IMAGE_MAX_BYTES - png.length)]));

  expect(await rejectionOf(taroGets(file), "file")).toEqual(["taken"]);
});

test("stores nothing of a valid picture in an invalid form", async () => {
  const file = fileOf(await quarters().png().toBuffer());
  const before = await readStored();

  const outcomes = await Promise.all([
    rejectionOf(hanako.call(sendDm, { receiverId: "nobody", file }), "file"),
    rejectionOf(
      hanako.call(sendDm, { receiverId: "taro", description: "x".repeat(2_001), file }),
      "description",
    ),
    rejectionOf(
      service.call(register, signUpForm({ email: EMAIL, code, userId: "taro", icon: file })),
      "user_id",
    ),
    rejectionOf(
      service.call(
        register,
        signUpForm({ email: EMAIL, code, userId: "jiro", icon: file, search_min_age: 130 }),
      ),
      "search_max_age",
    ),
  ]);

  expect(outcomes).toEqual([
    [404, "conversation_not_found", undefined],
    [400, "invalid_input", "too_long"],
    [400, "invalid_input", "user_id_taken"],
    [400, "invalid_input", "range_reversed"],
  ]);
  expect(await readStored()).toEqual(before);
});

test("accepts the same code afterwards with a valid picture", async () => {
  expect(await service.call(checkSignUpCode, { email: EMAIL, code })).toBe(true);

  const { user } = await jiroSignsUpWith(fileOf(await quarters().webp().toBuffer()));

  expect((await service.fetch(user.icon)).status).toBe(200);
});
