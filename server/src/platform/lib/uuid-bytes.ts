export const UUID_BYTES = 16;

export function writeUuid(bytes: Buffer, offset: number, uuid: string): void {
  bytes.write(uuid.replaceAll("-", ""), offset, "hex");
}

export function uuidAt(bytes: Buffer, offset: number): string {
  return bytes
    .toString("hex", offset, offset + UUID_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
