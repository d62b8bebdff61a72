import { SAMPLE_BYTES, wavHeader } from "@alcove/contract/voice-note";

interface Sound {
  seconds?: number;
  channels?: number;
  rate?: number;
  /** Between the header and the samples, and after them. */
  chunks?: { before?: Buffer; after?: Buffer };
}

/** Samples of a tone that grows louder, of 16 bits. */
export function toneSamples({ seconds = 2, channels = 1, rate = 16_000 }: Sound = {}): Buffer {
  const count = Math.round(seconds * rate) * channels;
  const samples = Buffer.alloc(count * SAMPLE_BYTES);
  for (let i = 0; i < count; i++)
    samples.writeInt16LE(Math.round(Math.sin(i / 6) * 20_000 * (i / count)), i * SAMPLE_BYTES);
  return samples;
}

export function wavOf(sound: Sound = {}): Buffer {
  const samples = toneSamples(sound);
  const {
    channels = 1,
    rate = 16_000,
    chunks: { before = Buffer.alloc(0), after = Buffer.alloc(0) } = {},
  } = sound;
  const header = Buffer.from(wavHeader(samples.length, { channels, rate }));
  header.writeUInt32LE(header.length - 8 + before.length + samples.length + after.length, 4);
  return Buffer.concat([header.subarray(0, 36), before, header.subarray(36), samples, after]);
}

export function chunkOf(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** The form file has a meaningless name and type. */
export function voiceFile(bytes: Uint8Array = wavOf()): File {
  return new File([new Uint8Array(bytes)], "recording.bin", { type: "application/octet-stream" });
}
