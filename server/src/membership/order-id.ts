import { randomBytes } from "node:crypto";

export function timeOfOrder({ order_id }: { order_id: string }): Date {
  return new Date(Number.parseInt(order_id.slice(0, 8) + order_id.slice(9, 13), 16));
}

/** Returns a UUIDv7, so that order ids sort by time. */
export function newOrderId(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** No order since this time has a smaller id. */
export function firstOrderId(since: Date): string {
  const time = since.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
