import { buffer } from "node:stream/consumers";
import { fromBuffer, type ZipFile } from "yauzl";

/** Unpacks a zip by file name. Throws for a damaged one. */
export async function readZip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((done, fail) =>
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, opened) =>
      error ? fail(error) : done(opened),
    ),
  );
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry);
    files.set(entry.fileName, await buffer(content));
  }
  return files;
}
