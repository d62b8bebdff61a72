import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { ICON_PIXELS } from "@alcove/contract/limits";
import { sendDm } from "@alcove/contract/messaging";
import { createMember, openSession } from "../accounts/index.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { sampleProfile } from "../testing/profile.ts";
import { testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { corners, cornersOf, fileOf, plainPicture, quarters, withChunk } from "../testing/sample-pictures.ts";

let service: TestService;
let hanako: TestMember;
let taro: TestMember;
let membersMade = 0;

beforeAll(async () => {
  service = await testService();
  ({ hanako, taro } = await hanakoAndTaro(service));
});

async function pictureAt(url: string): Promise<Buffer> {
  const response = await service.fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/jpeg");
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the stored picture of a message. */
async function sent(bytes: Buffer): Promise<Buffer> {
  const { dm } = await hanako.call(sendDm, { receiverId: taro.user_id, file: fileOf(bytes) });
  return pictureAt(dm.file!);
}

/** Returns the stored icon of a new member. */
async function shownAsIcon(bytes: Buffer, iconProcess: boolean): Promise<Buffer> {
  const userId = `new-${membersMade++}`;
  const member = await createMember(service.ctx, {
    userId,
    password: null,
    email: `${userId}@example.com`,
    language: "en",
    profile: sampleProfile({}),
    icon: fileOf(bytes),
    iconProcess,
  });
  const tokens = await openSession(service.ctx, member.memberId);
  const { user } = await service
    .memberAt({ ...hanako, ...member, ...tokens, user_id: userId })
    .call(getOwnUser, {});
  return pictureAt(user.icon);
}

describe("converts every accepted format to JPEG", () => {
  const frames = () =>
    Promise.all([quarters(), plainPicture(320)].map((frame) => frame.png().toBuffer())).then((pngs) =>
      sharp(pngs, { join: { animated: true } }),
    );
  const kinds: Record<string, () => Promise<Buffer> | Buffer> = {
    JPEG: () => quarters().jpeg().toBuffer(),
    "progressive JPEG": () => quarters().jpeg({ progressive: true }).toBuffer(),
    "JPEG for printing": () => quarters().toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer(),
    PNG: () => quarters().png().toBuffer(),
    "PNG of few colours": () => quarters().png({ palette: true }).toBuffer(),
    "PNG of 16 bits, interlaced": () =>
      quarters().toColourspace("rgb16").png({ progressive: true }).toBuffer(),
    WebP: () => quarters().webp({ lossless: true }).toBuffer(),
    "moving WebP": async () => (await frames()).webp({ lossless: true }).toBuffer(),
    GIF: () => quarters().gif().toBuffer(),
    "moving GIF": async () => (await frames()).gif().toBuffer(),
    AVIF: () => quarters().avif({ quality: 90, effort: 0 }).toBuffer(),
  };

  test.each(Object.entries(kinds))("%s", async (kind, draw) => {
    const picture = await sent(await draw());

    const { format, width, height, pages } = await sharp(picture).metadata();
    expect({ format, width, height, pages }).toEqual({
      format: "jpeg",
      width: 320,
      height: 320,
      pages: undefined,
    });
    // CMYK has no such green.
    if (kind !== "JPEG for printing") expect(await cornersOf(picture)).toEqual(corners);
  });
});

test("accepts grey pictures", async () => {
  const picture = await sent(await quarters().greyscale().png().toBuffer());

  expect((await sharp(picture).metadata()).width).toBe(320);
  expect((await sharp(await shownAsIcon(picture, true)).metadata()).width).toBe(ICON_PIXELS);
});

describe("rotates a sideways picture upright and removes its orientation tag", () => {
  const [a, b, c, d] = corners;
  const upright: Record<number, readonly string[]> = {
    1: [a, b, c, d],
    2: [b, a, d, c],
    3: [d, c, b, a],
    4: [c, d, a, b],
    5: [a, c, b, d],
    6: [c, a, d, b],
    7: [d, b, c, a],
    8: [b, d, a, c],
  };

  test.each(Object.entries(upright))("orientation %s", async (orientation, expected) => {
    const picture = await sent(
      await quarters(400, 200)
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer(),
    );

    const metadata = await sharp(picture).metadata();
    expect([metadata.width, metadata.height]).toEqual(Number(orientation) < 5 ? [400, 200] : [200, 400]);
    expect(metadata.orientation).toBeUndefined();
    expect(await cornersOf(picture)).toEqual(expected);
  });
});

describe("removes all metadata of a picture", () => {
  const METADATA = "Ravenscroft-5551";
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${METADATA}"/></rdf:RDF></x:xmpmeta>`;
  const withMetadata = (picture: Sharp) =>
    picture
      .withExif({
        IFD0: { Artist: METADATA, Model: METADATA, DateTime: "2026:01:02 03:04:05" },
        IFD3: {
          GPSLatitudeRef: "N",
          GPSLatitude: "35/1 39/1 30/1",
          GPSLongitudeRef: "E",
          GPSLongitude: "139/1 44/1 43/1",
        },
      })
      .withXmp(xmp)
      .withIccProfile("p3");
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, METADATA.length + 2]), Buffer.from(METADATA)]);
  const withComment = (jpeg: Buffer) => Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
  const kinds: Record<string, () => Promise<Buffer>> = {
    JPEG: async () => withComment(await withMetadata(quarters()).jpeg().toBuffer()),
    PNG: async () =>
      withChunk(await withMetadata(quarters()).png().toBuffer(), "tEXt", Buffer.from(`Author\0${METADATA}`)),
    WebP: () => withMetadata(quarters()).webp().toBuffer(),
    AVIF: () => withMetadata(quarters()).avif({ effort: 0 }).toBuffer(),
    "JPEG with a page and an archive behind it": async () =>
      Buffer.concat([
        await quarters().jpeg().toBuffer(),
        Buffer.from(`<script>${METADATA}</script>PK\u0003\u0004${METADATA}`),
      ]),
    "GIF with a comment": async () => {
      const gif = await quarters().gif().toBuffer();
      // After the header and its colour table.
      const at = 13 + 3 * 2 ** ((gif.readUInt8(10) & 7) + 1);
      const words = Buffer.concat([
        Buffer.of(0x21, 0xfe, METADATA.length),
        Buffer.from(METADATA),
        Buffer.of(0),
      ]);
      return Buffer.concat([gif.subarray(0, at), words, gif.subarray(at)]);
    },
    "PNG that is an archive at its end": async () =>
      Buffer.concat([await quarters().png().toBuffer(), Buffer.from(`PK\u0005\u0006${METADATA}`)]),
    "PNG with words packed and in every language": async () => {
      const packed = Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0"), Buffer.from(xmp)]);
      const place = Buffer.concat([Buffer.from("MM\0*\0\0\0\b\0\0"), Buffer.from(METADATA)]);
      const png = await quarters().png().toBuffer();
      return withChunk(withChunk(png, "iTXt", packed), "eXIf", place);
    },
    "GIF with words behind it": async () =>
      Buffer.concat([await quarters().gif().toBuffer(), Buffer.from(METADATA)]),
  };

  const formats = new Set(["JPEG", "PNG", "WebP", "AVIF"]);
  for (const [kind, draw] of Object.entries(kinds))
    test(kind, { tags: formats.has(kind) ? [] : "long" }, async () => {
      const bytes = await draw();
      expect(bytes.includes(METADATA)).toBe(true);
      if (kind === "JPEG")
        expect((await sharp(bytes).metadata()).exif!.includes(Buffer.from([2, 0, 5, 0, 3, 0, 0, 0]))).toBe(
          true,
        );

      for (const picture of [
        await sent(bytes),
        await shownAsIcon(bytes, false),
        await shownAsIcon(bytes, true),
      ]) {
        const { exif, xmp, icc, iptc, comments, orientation } = await sharp(picture).metadata();
        expect({ exif, xmp, icc, iptc, comments, orientation }).toEqual({});
        expect(picture.includes(METADATA)).toBe(false);
      }
    });

  test("hidden pixels under full transparency", async () => {
    const hidden = await quarters().ensureAlpha(0).png({ compressionLevel: 9 }).toBuffer();

    for (const picture of [await sent(hidden), await shownAsIcon(hidden, false)]) {
      expect(await cornersOf(picture)).toEqual(corners.map(() => "255,255,255"));
    }
  });
});

test("crops an icon to a central square of one size", async () => {
  const wide = await quarters(900, 300).png().toBuffer();
  const tiny = await quarters(2, 2).png().toBuffer();

  for (const bytes of [wide, tiny]) {
    const picture = await shownAsIcon(bytes, false);
    const { width, height } = await sharp(picture).metadata();
    expect([width, height]).toEqual([ICON_PIXELS, ICON_PIXELS]);
  }
  expect(await cornersOf(await shownAsIcon(wide, false))).toEqual(corners);
});

test("bounds the size of a message's picture and keeps its aspect ratio", async () => {
  const large = await sent(await plainPicture(6_000, 3_000).jpeg().toBuffer());
  const small = await sent(await quarters(60, 20).png().toBuffer());

  const sizes = await Promise.all([large, small].map((picture) => sharp(picture).metadata()));
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [2_048, 1_024],
    [60, 20],
  ]);
});

test("never decompresses text chunks that expand to half a gigabyte", async () => {
  const packed = Buffer.concat([Buffer.from("x\0\0"), deflateSync(Buffer.alloc(500_000_000), { level: 1 })]);
  const before = process.memoryUsage().rss;
  const png = withChunk(await quarters().png().toBuffer(), "zTXt", packed);

  expect(await cornersOf(await sent(png))).toEqual(corners);
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
});
