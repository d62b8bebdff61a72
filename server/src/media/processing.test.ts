import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { dumpTables, readFiles } from "../testing/data-traces.ts";
import { serviceForTest } from "../testing/match.ts";
import { fileOf, plainPicture } from "../testing/sample-pictures.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { DecryptionError } from "../platform/security/cipher.ts";
import { noFaceDetector } from "../integrations/face-detection/face-detection.ts";
import { pixelateIcon, reEncodeIcon, reEncodePicture } from "./re-encode.ts";

/** Fine black lines on white, `pixels` wide each: a measure of the remaining detail. */
function stripes(pixels: number, shift = 0) {
  const side = 720;
  const data = Buffer.alloc(side * side);
  for (let i = 0; i < data.length; i++) data[i] = Math.floor(((i % side) + shift) / pixels) % 2 ? 255 : 0;
  return sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .png()
    .toBuffer();
}

/** Pixelates a whole picture, without face detection. */
async function processed(file: File): Promise<Buffer> {
  return (await pixelateIcon(file, noFaceDetector)).jpeg;
}

/** Standard deviation of the pixels. */
async function contrastOf(picture: Buffer): Promise<number> {
  const { channels } = await sharp(picture).stats();
  return Math.max(...channels.map(({ stdev }) => stdev));
}

test("removes every detail of the size of an eye or a mouth", async () => {
  for (const pixels of [4, 12, 24, 36]) {
    const lines = fileOf(await stripes(pixels));

    expect(await contrastOf(await reEncodeIcon(lines))).toBeGreaterThan(90);
    expect(await contrastOf(await processed(lines))).toBeLessThan(14);
  }
});

test("turns two pictures that differ in fine detail into the same one", async () => {
  const [one, other] = await Promise.all(
    [stripes(5), stripes(5, 5)].map(async (bytes) => fileOf(await bytes)),
  );
  const pixelsOf = async (file: File) =>
    sharp(await processed(file))
      .raw()
      .toBuffer();
  const [a, b] = await Promise.all([pixelsOf(one!), pixelsOf(other!)]);

  const furthest = a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
  expect(furthest).toBeLessThan(8);
});

test("keeps colours and light of a pixelated picture", async () => {
  const half = await sharp({ create: { width: 600, height: 600, channels: 3, background: "#fff" } })
    .composite([{ input: await plainPicture(600, 300).png().toBuffer(), top: 300, left: 0 }])
    .jpeg()
    .toBuffer();

  const { data, info } = await sharp(await processed(fileOf(half)))
    .raw()
    .toBuffer({ resolveWithObject: true });

  const redAt = (y: number) => data[(Math.floor(y * info.height) * info.width + 300) * info.channels + 2]!;
  expect(redAt(0.1)).toBeGreaterThan(240);
  expect(redAt(0.9)).toBeLessThan(40);
});

test("shows only the pixelated icon to everyone and stores no clear copy", async () => {
  const service = await serviceForTest();
  const picture = await stripes(20);
  const hanako = await memberWithIcon(service, "hanako", picture, { iconProcess: true });
  const taro = await service.member("taro", { sex: "male" });

  const { user } = await hanako.call(getOwnUser, {});
  const seen = await taro.call(getUser, { userId: "hanako" });

  expect([user.icon_process, seen.user.icon_process]).toEqual([true, true]);
  for (const url of [user.icon, seen.user.icon]) {
    const shown = Buffer.from(await (await service.fetch(url)).arrayBuffer());
    expect(await contrastOf(shown)).toBeLessThan(14);
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
  expect(await picturesAmong([await encryption.decryptBytes(encrypted, `media:${memberId}:${id}`)])).toBe(1);
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

test("writes no temporary file for a large picture", async () => {
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
    expect((await reEncodePicture(file)).length).toBeGreaterThan(1_000);
  }
  expect(await readdir(folder)).toEqual([]);
});
