import { VOICE } from "@alcove/contract/limits";
import { peaksOf, wavHeader } from "@alcove/contract/voice-note";

export interface Recording {
  readonly file: File;
  readonly seconds: number;
  readonly peaks: readonly number[];
}

const SHORTEST_SECONDS = 0.5;
const LOUD = 0.25;

/** `denied`: the member or the browser refused, or the member closed the question. */
export class RecordingError extends Error {
  override name = "RecordingError";
  readonly reason: "denied" | "noMicrophone" | "unsupported" | "tooShort" | "failed";

  constructor(reason: RecordingError["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** One recording. The microphone is on from `start` to `finish` or `cancel`. */
export class Recorder {
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #chunks: Blob[] = [];
  readonly #meter: { readonly context: AudioContext; readonly analyser: AnalyserNode };
  readonly #ended: Promise<unknown>;

  /** @throws RecordingError */
  static async start(): Promise<Recorder> {
    if (!("mediaDevices" in navigator) || !("MediaRecorder" in globalThis))
      throw new RecordingError("unsupported");
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
    } catch (error) {
      const { name } = error as DOMException;
      const isMissing = name === "NotFoundError" || name === "OverconstrainedError";
      const reason = name === "NotAllowedError" ? "denied" : isMissing ? "noMicrophone" : "failed";
      throw new RecordingError(reason, error);
    }
    try {
      return new Recorder(stream);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw new RecordingError("failed", error);
    }
  }

  private constructor(stream: MediaStream) {
    this.#stream = stream;
    this.#recorder = new MediaRecorder(stream);
    this.#ended = new Promise((done) => this.#recorder.addEventListener("stop", done));
    this.#recorder.addEventListener("dataavailable", ({ data }) => this.#chunks.push(data));
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    this.#meter = { context, analyser };
    this.#recorder.start();
  }

  /** How loud it is now, from 0 to 1. */
  level(): number {
    const { analyser } = this.#meter;
    const samples = new Float32Array(analyser.fftSize);
    analyser.getFloatTimeDomainData(samples);
    return Math.min(1, samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0) / LOUD);
  }

  /** @throws RecordingError */
  async finish(): Promise<Recording> {
    this.cancel();
    await this.#ended;
    try {
      const sound = await new Blob(this.#chunks, { type: this.#recorder.mimeType }).arrayBuffer();
      return toRecording(await decode(sound));
    } catch (error) {
      throw error instanceof RecordingError ? error : new RecordingError("failed", error);
    }
  }

  cancel(): void {
    if (this.#recorder.state !== "inactive") this.#recorder.stop();
    for (const track of this.#stream.getTracks()) track.stop();
    if (this.#meter.context.state !== "closed") void this.#meter.context.close();
  }
}

/** Each browser records in another format. Decoding makes one rate and one channel of it. */
async function decode(sound: ArrayBuffer): Promise<Int16Array<ArrayBuffer>> {
  const context = new OfflineAudioContext(1, 1, VOICE.sampleRate);
  const buffer = await context.decodeAudioData(sound);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, i) => buffer.getChannelData(i));
  const length = Math.min(buffer.length, VOICE.maxSeconds * VOICE.sampleRate);
  const mixed = new Int16Array(length);
  for (let i = 0; i < length; i++) {
    const value = channels.reduce((sum, samples) => sum + samples[i]!, 0) / channels.length;
    mixed[i] = Math.round(Math.max(-1, Math.min(1, value)) * 0x7fff);
  }
  return mixed;
}

function toRecording(samples: Int16Array<ArrayBuffer>): Recording {
  const seconds = samples.length / VOICE.sampleRate;
  if (seconds < SHORTEST_SECONDS) throw new RecordingError("tooShort");
  // Every device that a browser runs on stores the low byte first, as WAV does.
  const header = wavHeader(samples.byteLength, { channels: 1, rate: VOICE.sampleRate });
  const file = new File([header, samples], "voice.wav", { type: "audio/wav" });
  return { file, seconds: Math.round(seconds * 10) / 10, peaks: peaksOf(samples) };
}
