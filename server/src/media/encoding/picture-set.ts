export const formats = ["avif", "webp", "jpeg"] as const;
export type PictureFormat = (typeof formats)[number];

export interface Variant {
  readonly format: PictureFormat;
  readonly width: number;
  readonly bytes: Buffer;
}

/** A missing width is the largest. */
export interface Wanted {
  readonly width: number | null;
  readonly formats: readonly PictureFormat[];
}

const MARK = Buffer.from("\u0001PICTURES", "latin1");
const ENTRY_BYTES = 1 + 2 + 4;

/** The variants are stored, copied and deleted as one. */
export function packVariants(variants: readonly Variant[]): Buffer {
  const head = Buffer.alloc(MARK.length + 1 + variants.length * ENTRY_BYTES);
  MARK.copy(head);
  head.writeUInt8(variants.length, MARK.length);
  variants.forEach(({ format, width, bytes }, i) => {
    const at = MARK.length + 1 + i * ENTRY_BYTES;
    head.writeUInt8(formats.indexOf(format), at);
    head.writeUInt16BE(width, at + 1);
    head.writeUInt32BE(bytes.length, at + 3);
  });
  return Buffer.concat([head, ...variants.map(({ bytes }) => bytes)]);
}

/** A file without the mark is a JPEG. */
export function unpackVariants(file: Buffer): Variant[] {
  if (!file.subarray(0, MARK.length).equals(MARK)) return [{ format: "jpeg", width: 0, bytes: file }];
  const count = file.readUInt8(MARK.length);
  let start = MARK.length + 1 + count * ENTRY_BYTES;
  return Array.from({ length: count }, (_, i) => {
    const at = MARK.length + 1 + i * ENTRY_BYTES;
    const bytes = file.subarray(start, (start += file.readUInt32BE(at + 3)));
    return { format: formats[file.readUInt8(at)]!, width: file.readUInt16BE(at + 1), bytes };
  });
}

/**
 * Returns the smallest variant of the first wanted format that is wide enough, else its largest. JPEG always exists.
 */
export function chooseVariant(file: Buffer, { width, formats: wanted }: Wanted): Variant {
  const variants = unpackVariants(file).toSorted((one, other) => one.width - other.width);
  for (const format of [...wanted, "jpeg"]) {
    const ofFormat = variants.filter((variant) => variant.format === format);
    const wideEnough = ofFormat.find((variant) => width !== null && variant.width >= width);
    const chosen = wideEnough ?? ofFormat.at(-1);
    if (chosen) return chosen;
  }
  throw new Error("a stored picture has no JPEG");
}
