export const formats = ["avif", "webp", "jpeg"] as const;
export type PictureFormat = (typeof formats)[number];

/** A voice note is the only variant of its file. */
const storedFormats = [...formats, "wav"] as const;

export interface Variant {
  readonly format: (typeof storedFormats)[number];
  /** In pixels; 0 for a voice note. */
  readonly width: number;
  readonly bytes: Buffer;
}

/** A missing width is the largest. */
export interface Wanted {
  readonly width: number | null;
  readonly formats: readonly PictureFormat[];
}

const ENTRY_BYTES = 1 + 2 + 4;

export function packVariants(variants: readonly Variant[]): Buffer {
  const head = Buffer.alloc(1 + variants.length * ENTRY_BYTES);
  head.writeUInt8(variants.length, 0);
  variants.forEach(({ format, width, bytes }, i) => {
    const at = 1 + i * ENTRY_BYTES;
    head.writeUInt8(storedFormats.indexOf(format), at);
    head.writeUInt16BE(width, at + 1);
    head.writeUInt32BE(bytes.length, at + 3);
  });
  return Buffer.concat([head, ...variants.map(({ bytes }) => bytes)]);
}

export function unpackVariants(file: Buffer): Variant[] {
  const count = file.readUInt8(0);
  let start = 1 + count * ENTRY_BYTES;
  return Array.from({ length: count }, (_, i) => {
    const at = 1 + i * ENTRY_BYTES;
    const bytes = file.subarray(start, (start += file.readUInt32BE(at + 3)));
    return { format: storedFormats[file.readUInt8(at)]!, width: file.readUInt16BE(at + 1), bytes };
  });
}

/** The smallest variant of the first wanted format that is wide enough, else its largest. A picture always has JPEG. */
export function chooseVariant(file: Buffer, { width, formats: wanted }: Wanted): Variant {
  const variants = unpackVariants(file).toSorted((one, other) => one.width - other.width);
  for (const format of [...wanted, "jpeg", "wav"]) {
    const ofFormat = variants.filter((variant) => variant.format === format);
    const wideEnough = ofFormat.find((variant) => width !== null && variant.width >= width);
    const chosen = wideEnough ?? ofFormat.at(-1);
    if (chosen) return chosen;
  }
  throw new Error("a stored file has neither JPEG nor WAV");
}
