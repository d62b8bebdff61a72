import type { BusEvents } from "../../registry.ts";

export type EventKind = keyof BusEvents & string;

/** `lost` stands for events that could not be kept or sent. */
export type Envelope = { kind: EventKind | "lost"; event: unknown };

export const LOST: Envelope = { kind: "lost", event: null };

export interface EventTransport {
  send(envelopes: readonly Envelope[]): Promise<void>;
  open(onEnvelopes: (envelopes: readonly Envelope[]) => void, onMissedEvents: () => void): Promise<void>;
  isUp(): boolean;
  close(): Promise<void>;
}

export class EventBusUnreachableError extends Error {
  override name = "EventBusUnreachableError";
  readonly setting: string;

  constructor(setting: string, options: { cause: unknown }) {
    super(`the event bus at ${setting} cannot be reached`, options);
    this.setting = setting;
  }
}

export function packEnvelopes(envelopes: readonly Envelope[], maxBytes: number): string[] {
  const packs: string[][] = [];
  let size = Infinity;
  for (const envelope of envelopes) {
    const whole = JSON.stringify(envelope);
    const text = Buffer.byteLength(whole) + 2 > maxBytes ? JSON.stringify(LOST) : whole;
    const bytes = Buffer.byteLength(text) + 1;
    if (size + bytes > maxBytes - 1) {
      packs.push([]);
      size = 0;
    }
    packs.at(-1)!.push(text);
    size += bytes;
  }
  return packs.map((pack) => `[${pack.join(",")}]`);
}
