import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

/** Noise with large pixels, so that it takes a photo's time to decode and encode. */
export function noisePng(width: number, height: number): Buffer<ArrayBuffer> {
  const rows = Array.from({ length: height }, () =>
    Buffer.concat([Buffer.of(0), spread(randomBytes(Math.ceil(width / 4) * 3), width)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits of red, green and blue
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function spread(colours: Buffer, width: number): Buffer {
  return Buffer.from(Array.from({ length: width * 3 }, (_, i) => colours[Math.floor(i / 12) * 3 + (i % 3)]!));
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
