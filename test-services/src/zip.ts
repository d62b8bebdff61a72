import { crc32, inflateRawSync } from "node:zlib";

const END = Buffer.from("PK\x05\x06");
const STORED = 0;

export async function readZip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = Buffer.from(bytes);
  const end = zip.lastIndexOf(END);
  const files = new Map<string, Buffer>();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [size, header] = [zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 42)];
    const [name, extra, comment] = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at)) as [
      number,
      number,
      number,
    ];
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(start, start + size);
    const content = zip.readUInt16LE(entry + 10) === STORED ? packed : inflateRawSync(packed);
    if (crc32(content) !== zip.readUInt32LE(entry + 16)) throw new Error("the zip is damaged");
    files.set(zip.toString("utf8", entry + 46, entry + 46 + name), content);
    entry += 46 + name + extra + comment;
  }
  return files;
}
