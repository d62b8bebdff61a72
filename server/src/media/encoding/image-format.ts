export type ImageFormat = "jpeg" | "png" | "webp" | "gif" | "heif";

export const FORMAT_BYTES = 12;

const HEIF_BRANDS = new Set(["avif", "avis", "heic", "heix", "heim", "heis", "mif1", "msf1"]);

export function isHeic(bytes: Buffer): boolean {
  return bytes.toString("latin1", 4, 8) === "ftyp" && /^(?:he|mif|msf)/.test(bytes.toString("latin1", 8, 12));
}

/** NOTE: runs before the image library, whose other formats (SVG, TIFF) enlarge the attack surface. */
export function imageFormatOf(bytes: Buffer): ImageFormat | null {
  const text = (start: number, end: number) => bytes.toString("latin1", start, end);
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(4, 8) === "ftyp" && HEIF_BRANDS.has(text(8, 12))) return "heif";
  return null;
}
