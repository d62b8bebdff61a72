import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** The quarters from the top left in reading order; a rotation changes them. */
export const corners = ["red", "lime", "blue", "black"] as const;

const RGB = { red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255], black: [0, 0, 0] } as const;

export function quarters(width = 320, height = 320): Sharp {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const corner = corners[(y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1)]!;
      data.set(RGB[corner], (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/**
 * Returns names of colours, other colours as numbers. `inset` is the distance from the edges as a share of the side:
 * near the middle only a clear picture shows them.
 */
export async function cornersOf(picture: Uint8Array, inset = 0.25): Promise<string[]> {
  const { data, info } = await sharp(picture)
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const pixel = [...data.subarray(start, start + 3)];
    const near = corners.find((corner) => RGB[corner].every((value, i) => Math.abs(value - pixel[i]!) < 12));
    return near ?? pixel.join(",");
  };
  const far = 1 - inset;
  return [at(inset, inset), at(far, inset), at(inset, far), at(far, far)];
}

/** Large pictures of one colour are small files. */
export function plainPicture(width: number, height = width): Sharp {
  return sharp({ create: { width, height, channels: 3, background: "#a31" }, limitInputPixels: false });
}

/** Returns a JPEG like no other `seed`'s. A small side is compressed more, as a copy of the same picture. */
export async function photo(seed: number, side = 600): Promise<Buffer> {
  const cells = Buffer.from(Array.from({ length: 64 }, (_, i) => (Math.sin(seed * 97 + i * i) + 1) * 127));
  return sharp(cells, { raw: { width: 8, height: 8, channels: 1 } })
    .resize(side, side, { kernel: "cubic" })
    .jpeg({ quality: side > 500 ? 92 : 60 })
    .toBuffer();
}

/** The form file has a meaningless name and type. */
export function fileOf(bytes: Uint8Array | string): File {
  const content = typeof bytes === "string" ? bytes : new Uint8Array(bytes);
  return new File([content], "IMG_0001.JPG", { type: "image/jpeg" });
}

export function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const header = 8 + 25;
  return Buffer.concat([png.subarray(0, header), chunkOf(type, data), png.subarray(header)]);
}

/** A one-bit PNG: 900 megapixels in a hundred kilobytes. */
export function blackSquare(side: number): Buffer {
  const head = pngHead(side, side);
  const lines = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side));
  return Buffer.concat([head, chunkOf("IDAT", lines), chunkOf("IEND", Buffer.alloc(0))]);
}

export function pngWithSize(width: number, height: number): Buffer {
  return Buffer.concat([pngHead(width, height), chunkOf("IDAT", deflateSync(Buffer.alloc(100)))]);
}

function pngHead(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunkOf("IHDR", header)]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** The scans have a few bytes each. */
export async function jpegOfScans(pixels: number, scans: number): Promise<Buffer> {
  const jpeg = await plainPicture(pixels).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  const components = [10, 13, 16].map((offset) => jpeg.readUInt8(frame + offset));
  const firstScan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const secondTable = jpeg.indexOf(Buffer.from([0xff, 0xc4]), firstScan);
  // A one-bit code for 16,384 empty blocks.
  const table = Buffer.from([0xff, 0xc4, 0, 20, 0x10, 1, ...Array.from({ length: 15 }, () => 0), 0xe0]);
  const blocks = Math.ceil(pixels / 8) ** 2;
  const runs = Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8));
  const more: Buffer[] = [];
  for (const component of components) {
    for (let coefficient = 1; coefficient < 64; coefficient++) {
      for (let bit = 13; bit >= 0 && more.length < 2 * scans; bit--) {
        const approximation = ((bit === 13 ? 0 : bit + 1) << 4) | bit;
        const head = [0xff, 0xda, 0, 8, 1, component, 0, coefficient, coefficient, approximation];
        more.push(Buffer.from(head), runs);
      }
    }
  }
  return Buffer.concat([jpeg.subarray(0, secondTable), table, ...more, Buffer.from([0xff, 0xd9])]);
}
