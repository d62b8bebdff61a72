import { readFile } from "node:fs/promises";
import sharp from "sharp";

const LOGO = new URL("../../web/public/favicon.svg", import.meta.url);
/** The logo's own ground, which a full icon extends to its corners. */
export const ICON_GROUND = "#1f4a41";

/** Of the app, as in the design tokens. */
export const GROUND = { light: "#eaeee9", dark: "#0f1513" } as const;

/** `foreground`: the middle of an adaptive icon, without ground. `square`: without transparency, as Apple wants it. */
type Shape = "rounded" | "round" | "square" | "foreground";

/** Draws the neutral logo as PNG. */
export async function drawIcon(pixels: number, { shape }: { shape: Shape }): Promise<Buffer> {
  const svg = (await readFile(LOGO, "utf8")).trim();
  const drawing = svg.replace(/^<svg[^>]*>|<\/svg>$/g, "").replace(/<rect[^>]*\/>/, "");
  const corner = { rounded: 14, round: 32, square: 0, foreground: 0 }[shape];
  const ground =
    shape === "foreground" ? "" : `<rect width="64" height="64" rx="${corner}" fill="${ICON_GROUND}"/>`;
  // Systems cut up to a third of an adaptive icon.
  const scaled =
    shape === "foreground"
      ? `<g transform="translate(32 32) scale(.6) translate(-32 -32)">${drawing}</g>`
      : drawing;
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${pixels}" height="${pixels}">${ground}${scaled}</svg>`;
  const image = sharp(Buffer.from(whole)).resize(pixels, pixels);
  return (shape === "square" ? image.flatten({ background: ICON_GROUND }) : image).png().toBuffer();
}

/** A plain picture of the app's ground, which fills a launch screen of any size. */
export async function drawGround(colour: string): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
    .png()
    .toBuffer();
}
