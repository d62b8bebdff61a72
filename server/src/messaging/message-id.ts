import { randomFromPool } from "../platform/lib/random-pool.ts";

const COUNTER_MAX = 0xfff;

/** Returns a UUIDv7 greater than `last`, even if the clock went back. Twelve bits count within a millisecond. */
export function nextMessageId(now: Date, last: string | null): string {
  const random = randomFromPool(10);
  let time = now.getTime();
  let counter = random.readUInt16BE(8) & (COUNTER_MAX >> 1);
  if (last !== null && timeOfId(last) >= time) {
    time = timeOfId(last);
    counter = counterOfId(last) + 1;
    if (counter > COUNTER_MAX) {
      time++;
      counter = 0;
    }
  }
  const hex = time.toString(16).padStart(12, "0");
  const tail = random.subarray(0, 8);
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const rest = tail.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

export function lowestIdAt(time: number): string {
  const hex = time.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function counterOfId(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16);
}
