import { type IAudioMetadata, parseBuffer } from "music-metadata";
import { VOICE } from "@alcove/contract/limits";
import { peaksOf, SAMPLE_BYTES, wavHeader } from "@alcove/contract/voice-note";
import { ApiError } from "../../platform/errors.ts";

export interface VoiceNote {
  readonly wav: Buffer;
  readonly seconds: number;
  readonly peaks: readonly number[];
}

const RIFF_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const RATES = { min: 8_000, max: 48_000 };

export const isWav = (bytes: Buffer): boolean =>
  bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, RIFF_BYTES) === "WAVE";

/**
 * Returns the samples behind a new header, so that no other part of the file is kept.
 *
 * @throws not_a_voice_note, voice_too_long
 */
export async function readVoiceNote(file: File): Promise<VoiceNote> {
  if (!isWav(await bytesOf(file.slice(0, RIFF_BYTES)))) throw new ApiError("not_a_voice_note");
  if (file.size > VOICE.maxBytes) throw new ApiError("voice_too_long");
  const bytes = await bytesOf(file);
  const { numberOfChannels: channels = 0, sampleRate: rate = 0, ...format } = await readFormat(bytes);
  const samples = findSamples(bytes);
  const isReadable =
    format.codec === "PCM" &&
    format.bitsPerSample === SAMPLE_BYTES * 8 &&
    (channels === 1 || channels === 2) &&
    rate >= RATES.min &&
    rate <= RATES.max &&
    samples.length > 0 &&
    samples.length % (channels * SAMPLE_BYTES) === 0 &&
    samples.length === (format.numberOfSamples ?? 0) * channels * SAMPLE_BYTES;
  if (!isReadable) throw new ApiError("not_a_voice_note");
  const seconds = samples.length / SAMPLE_BYTES / channels / rate;
  if (seconds > VOICE.maxSeconds) throw new ApiError("voice_too_long");
  return {
    wav: Buffer.concat([wavHeader(samples.length, { channels, rate }), samples]),
    seconds: Math.max(0.1, Math.round(seconds * 10) / 10),
    peaks: peaksOf(valuesOf(samples)),
  };
}

async function readFormat(bytes: Buffer): Promise<IAudioMetadata["format"]> {
  try {
    const options = { skipCovers: true, skipPostHeaders: true };
    return (await parseBuffer(bytes, { mimeType: "audio/wav", size: bytes.length }, options)).format;
  } catch {
    throw new ApiError("not_a_voice_note");
  }
}

/** The parser names no place of the samples. Returns none if the file ends before their chunk does. */
function findSamples(bytes: Buffer): Buffer {
  for (let at = RIFF_BYTES; at + CHUNK_HEAD_BYTES <= bytes.length;) {
    const start = at + CHUNK_HEAD_BYTES;
    const length = bytes.readUInt32LE(at + 4);
    const end = start + length;
    if (bytes.toString("latin1", at, at + 4) === "data")
      return end <= bytes.length ? bytes.subarray(start, end) : Buffer.alloc(0);
    at = end + (length % 2);
  }
  return Buffer.alloc(0);
}

/** A copy, because the chunk may begin at an odd place. */
function valuesOf(samples: Buffer): Int16Array {
  return new Int16Array(new Uint8Array(samples).buffer);
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer());
}
