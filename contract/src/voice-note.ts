const PEAKS = 40;
export const PEAK_MAX = 15;

/** Bytes of a sample: a voice note has 16 bits. */
export const SAMPLE_BYTES = 2;
const HEADER_BYTES = 44;

/** Returns the loudest sample of each equal part, as a share of the loudest of all, from 0 to `PEAK_MAX`. */
export function peaksOf(samples: Int16Array): number[] {
  const loudest = Array.from({ length: PEAKS }, (_, part) => {
    const [from, to] = [part, part + 1].map((edge) => Math.floor((edge * samples.length) / PEAKS));
    let peak = 0;
    for (let i = from!; i < to!; i++) peak = Math.max(peak, Math.abs(samples[i]!));
    return peak;
  });
  const highest = Math.max(1, ...loudest);
  return loudest.map((peak) => Math.round((peak / highest) * PEAK_MAX));
}

/** The start of a WAV file of so many bytes of samples, without any other part. `rate` is in samples a second. */
export function wavHeader(
  bytes: number,
  { channels, rate }: { channels: number; rate: number },
): Uint8Array<ArrayBuffer> {
  const file = new ArrayBuffer(HEADER_BYTES);
  const header = new DataView(file);
  const write = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) header.setUint8(at + i, text.charCodeAt(i));
  };
  write(0, "RIFF");
  header.setUint32(4, HEADER_BYTES - 8 + bytes, true);
  write(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true); // PCM
  header.setUint16(22, channels, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, rate * channels * SAMPLE_BYTES, true);
  header.setUint16(32, channels * SAMPLE_BYTES, true);
  header.setUint16(34, SAMPLE_BYTES * 8, true);
  write(36, "data");
  header.setUint32(40, bytes, true);
  return new Uint8Array(file);
}
