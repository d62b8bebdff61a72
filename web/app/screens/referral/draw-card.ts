/** Light in both themes, because scanners expect dark modules on a light ground. */
const COLORS = { ground: "#f6f4ee", ink: "#1f3a33", light: "#e2b765" };
const WIDTH = 1080;
const HEIGHT = 1350;
const CODE = { top: 430, side: 620, quiet: 4 };
const LOGO = { top: 110, scale: 3.2 };
const TEXT_TOP = 1180;
/** The two doors of the logo (`ui/logo.tsx`), in its own coordinates. */
const DOORS: readonly { readonly path: string; readonly color: string; readonly alpha: number }[] = [
  { path: "M27 56V24a14 14 0 0 1 28 0v32Z", color: COLORS.ink, alpha: 0.55 },
  { path: "M9 56V24a14 14 0 0 1 28 0v32Z", color: COLORS.ink, alpha: 1 },
  { path: "M27 56V24A14 14 0 0 1 32 13.28A14 14 0 0 1 37 24V56Z", color: COLORS.light, alpha: 1 },
];
const LOGO_MIDDLE = 32;
const FILE_NAME = "card.png";

/** A picture with a neutral sentence and the QR code of a link. Nothing leaves the device. */
export async function drawCard(link: string, text: string): Promise<File> {
  const { default: encodeQR } = await import("qr");
  const modules = encodeQR(link, "raw", { ecc: "medium", border: CODE.quiet });
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext("2d")!;
  context.fillStyle = COLORS.ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  drawLogo(context);
  drawModules(context, modules);
  context.fillStyle = COLORS.ink;
  context.font = "500 52px system-ui, sans-serif";
  context.textAlign = "center";
  context.fillText(text, WIDTH / 2, TEXT_TOP, WIDTH - 2 * 80);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new File([blob], FILE_NAME, { type: "image/png" });
}

function drawLogo(context: OffscreenCanvasRenderingContext2D): void {
  context.save();
  context.translate(WIDTH / 2 - LOGO_MIDDLE * LOGO.scale, LOGO.top);
  context.scale(LOGO.scale, LOGO.scale);
  for (const { path, color, alpha } of DOORS) {
    const door = new Path2D(path);
    context.fillStyle = color;
    context.globalAlpha = alpha;
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is no array
    context.fill(door);
  }
  context.restore();
}

/** Modules of whole pixels, so that no edge is blurred. */
function drawModules(context: OffscreenCanvasRenderingContext2D, modules: boolean[][]): void {
  const size = Math.floor(CODE.side / modules.length);
  const left = Math.round((WIDTH - size * modules.length) / 2);
  context.fillStyle = COLORS.ink;
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) context.fillRect(left + x * size, CODE.top + y * size, size, size);
}
