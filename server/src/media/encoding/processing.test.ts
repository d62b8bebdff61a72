import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { dumpTables, readFiles } from "../../testing/data-traces.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { fileOf, plainPicture, quarters } from "../../testing/sample-pictures.ts";
import { memberWithIcon } from "../../testing/sample-members.ts";
import { DecryptionError } from "../../platform/keys/cipher.ts";
import { noFaceDetector } from "../../integrations/face-detection/face-detection.ts";
import { behindReededGlass } from "./reeded-glass.ts";
import { loseDetail } from "./lost-detail.ts";
import { unpackVariants } from "./picture-set.ts";
import { packIcon, packMessageImage, processIcon, readIcon, readMessageImage, toJpeg } from "./re-encode.ts";

/** Fine black lines on white, `pixels` high each: a measure of the remaining detail, across the flutes. */
function stripes(pixels: number) {
  const side = 720;
  const data = Buffer.alloc(side * side);
  for (let i = 0; i < data.length; i++) data[i] = Math.floor(i / side / pixels) % 2 ? 255 : 0;
  return sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .png()
    .toBuffer();
}

/** More than light and lamp reach without any detail: 39 in 120 pictures. Clear stripes have more than 90. */
const NOISE = 60;

/** Processes a whole picture, without face detection. */
async function processed(file: File): Promise<Buffer> {
  return (await processIcon(file, noFaceDetector)).pixels.rgb;
}

/** The largest standard deviation along a column: flutes change nothing there. */
function contrastOf(rgb: Buffer, side = 720): number {
  const columns = Array.from({ length: side }, (_, x) => {
    const column = Array.from({ length: side }, (_, y) => rgb[(y * side + x) * 3]!);
    const mean = column.reduce((sum, value) => sum + value) / side;
    return Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / side);
  });
  return Math.max(...columns);
}

const pixelsOf = (picture: Buffer) => sharp(picture).removeAlpha().raw().toBuffer();

test("removes every detail of the size of an eye or a mouth", async () => {
  for (const pixels of [4, 5, 12, 24, 36]) {
    const lines = fileOf(await stripes(pixels));

    expect(contrastOf((await readIcon(lines)).rgb)).toBeGreaterThan(90);
    expect(contrastOf(await processed(lines))).toBeLessThan(NOISE);
  }
});

test("bends every picture anew", async () => {
  const picture = fileOf(await quarters(720, 720).png().toBuffer());
  const [one, other] = [await processed(picture), await processed(picture)];

  expect(one.filter((value, i) => Math.abs(value - other[i]!) > 24).length).toBeGreaterThan(5_000);
});

test("shows either side of a picture", async () => {
  const side = 90;
  const rgb = Buffer.alloc(side * side * 3);
  for (let i = 0; i < rgb.length; i += 3) rgb[i] = Math.floor(i / 3) % side < side / 2 ? 200 : 0;

  const leftIsRed: boolean[] = [];
  for (let round = 0; round < 24; round++) {
    const seen = await behindReededGlass({ rgb, width: side, height: side }, 0.5);
    let redness = 0;
    for (let i = 0; i < seen.length; i += 3)
      redness += (seen[i]! - seen[i + 2]!) * (Math.floor(i / 3) % side < side / 2 ? 1 : -1);
    leftIsRed.push(redness > 0);
  }

  const count = leftIsRed.filter(Boolean).length;
  expect([count, 24 - count].every((times) => times >= 3)).toBe(true);
});

test("blurs the background more than people", async () => {
  const side = 180;
  const rgb = Buffer.alloc(side * side * 3);
  for (let i = 0; i < rgb.length; i++) rgb[i] = Math.floor((i / 3 / side) * (3 / side)) === 1 ? 255 : 0;
  const contrastIn = async (alpha: number) => {
    const face = { x: 0.3, y: 0.3, width: 0.3, height: 0.3 };
    const mask = { faces: 1, face, longest: 0.3, alpha: new Float32Array(side * side).fill(alpha) };
    const contrasts: number[] = [];
    for (let round = 0; round < 12; round++)
      contrasts.push(contrastOf((await loseDetail({ rgb, width: side, height: side }, mask)).rgb, side));
    return contrasts.reduce((sum, value) => sum + value) / contrasts.length;
  };

  expect((await contrastIn(1)) - (await contrastIn(0))).toBeGreaterThan(8);
});

test("stores a picture once in AVIF, WebP and JPEG, and enlarges none", async () => {
  const small = fileOf(await quarters(300, 200).png().toBuffer());
  const sizesOf = (packed: Buffer) => unpackVariants(packed).map(({ format, width }) => `${format} ${width}`);

  expect(sizesOf(await packIcon(await readIcon(small)))).toEqual([
    "jpeg 720",
    ...[160, 480, 720].flatMap((width) => [`webp ${width}`, `avif ${width}`]),
  ]);
  const packed = await packMessageImage(await readMessageImage(small));
  expect(sizesOf(packed)).toEqual(["jpeg 300", "webp 300", "avif 300"]);
  for (const { format, width, bytes } of unpackVariants(packed)) {
    const read = await sharp(bytes).metadata();
    expect([read.format, read.width, read.height]).toEqual([format === "avif" ? "heif" : format, width, 200]);
  }
});

test("keeps a trace of light of a processed picture", async () => {
  const half = await sharp({ create: { width: 600, height: 600, channels: 3, background: "#fff" } })
    .composite([{ input: await plainPicture(600, 300).png().toBuffer(), top: 300, left: 0 }])
    .jpeg()
    .toBuffer();

  const rgb = await processed(fileOf(half));

  // The mean of a row: the shade of the flutes is the same everywhere.
  const blueIn = (row: number) => {
    const blues = Array.from({ length: 720 }, (_, x) => rgb[(row * 720 + x) * 3 + 2]!);
    return blues.reduce((sum, value) => sum + value) / blues.length;
  };
  expect(blueIn(72) - blueIn(648)).toBeGreaterThan(60);
});

test("shows only the processed icon to everyone and stores no clear copy", async () => {
  const service = await serviceForTest();
  const picture = await stripes(20);
  const hanako = await memberWithIcon(service, "hanako", picture, { iconProcess: true });
  const taro = await service.member("taro", { sex: "male" });

  const { user } = await hanako.call(getOwnUser, {});
  const seen = await taro.call(getUser, { userId: "hanako" });

  expect([user.icon_process, seen.user.icon_process]).toEqual([true, true]);
  for (const url of [user.icon, seen.user.icon]) {
    const shown = Buffer.from(await (await service.fetch(url)).arrayBuffer());
    expect(contrastOf(await pixelsOf(shown))).toBeLessThan(NOISE);
  }
  const files = (await readFiles(service.dataDir)).filter(({ name }) => name.includes("/media/"));
  expect(files).toHaveLength(1);
  expect(await service.db.selectFrom("media_files").selectAll().execute()).toHaveLength(1);
  const pictures = await picturesAmong(
    [...files, ...(await dumpTables(service.databaseUrl))].flatMap(({ bytes }) => bytes),
  );
  expect(pictures).toBe(0);
});

test("encrypts a clear picture for its own row, in neither file nor table as an image", async () => {
  const service = await serviceForTest();
  await memberWithIcon(service, "hanako", await stripes(20), { iconProcess: false });
  const places = [
    ...(await readFiles(join(service.dataDir, "media"))),
    ...(await dumpTables(service.databaseUrl)),
  ];
  const { member_no: memberId, media_id: id } = await service.db
    .selectFrom("media_files")
    .selectAll()
    .executeTakeFirstOrThrow();
  const encrypted = (await service.ctx.fileStorage.get(`${id.slice(0, 2)}/${id}`))!;
  const { encryption } = service.ctx;

  expect(await picturesAmong(places.flatMap(({ bytes }) => bytes))).toBe(0);
  expect(places.some(({ bytes }) => bytes.some((run) => run.includes("JFIF")))).toBe(false);
  const packed = await encryption.decryptBytes(encrypted, `media:${memberId}:${id}`);
  expect(await picturesAmong(unpackVariants(packed).map(({ bytes }) => bytes))).toBe(7);
  await expect(encryption.decryptBytes(encrypted, `media:${memberId + 1}:${id}`)).rejects.toThrow(
    DecryptionError,
  );
  encrypted[encrypted.length - 1]! ^= 1;
  await expect(encryption.decryptBytes(encrypted, `media:${memberId}:${id}`)).rejects.toThrow(
    DecryptionError,
  );
});

async function picturesAmong(runs: readonly Buffer[]): Promise<number> {
  const outcomes = await Promise.allSettled(runs.map((run) => sharp(run).metadata()));
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

test("writes no temporary file for a large picture", { tags: "long" }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "alcove-nowhere-"));
  const before = process.env["TMPDIR"];
  onTestFinished(async () => {
    process.env["TMPDIR"] = before;
    if (before === undefined) delete process.env["TMPDIR"];
    await rm(folder, { recursive: true, force: true });
  });
  // The library would have to write here, which is impossible.
  process.env["TMPDIR"] = join(folder, "missing");
  const sideways = { orientation: 6 };
  const large = [
    plainPicture(7_200).withMetadata(sideways).jpeg({ progressive: true }),
    plainPicture(7_200).withMetadata(sideways).webp({ effort: 0 }),
    plainPicture(14_000, 710).webp({ effort: 0 }),
  ];

  for (const picture of large) {
    const file = fileOf(await picture.toBuffer());
    expect((await toJpeg(await readMessageImage(file))).length).toBeGreaterThan(1_000);
  }
  expect(await readdir(folder)).toEqual([]);
});
