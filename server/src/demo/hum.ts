import { SAMPLE_BYTES, wavHeader } from "@alcove/contract/voice-note";

const RATE = 8_000;
const SECONDS = 3;
const SYLLABLES_PER_SECOND = 2.5;
const HERTZ = 175;
const LOUDNESS = 5_000;

/** Some quiet syllables without words, which the text of the voice note has. */
export function hum(): File {
  const samples = Buffer.alloc(RATE * SECONDS * SAMPLE_BYTES);
  const wave = (hertz: number, i: number) => Math.sin((2 * Math.PI * hertz * i) / RATE);
  for (let i = 0; i < RATE * SECONDS; i++) {
    const fade = Math.sin((Math.PI * i) / (RATE * SECONDS));
    const syllable = wave(SYLLABLES_PER_SECOND / 2, i) ** 2 * fade;
    const sample = LOUDNESS * syllable * (wave(HERTZ, i) + 0.4 * wave(2 * HERTZ, i));
    samples.writeInt16LE(Math.round(sample), i * SAMPLE_BYTES);
  }
  return new File([wavHeader(samples.length, { channels: 1, rate: RATE }), samples], "hum.wav");
}
