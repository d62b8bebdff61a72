import { randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Pixels, secret } from "./lost-detail.ts";

const FLUTES_PER_FACE = 7;
const FLUTES = { min: 12, max: 18 };
/** As shares of the picture's side. Smaller ones would leave the layout, by which an original is found. */
const SLIP = 0.4;
const DROP = 0.25;
const TONE = 0.16;
const SHINE = 1.5;
const TAPS = [-1 / 3, 0, 1 / 3];
/** Rows between two turns of the event loop: a few milliseconds. */
const ROWS_PER_TURN = 60;

interface Flute {
  readonly centre: number;
  readonly bend: number;
  readonly slip: number;
  readonly drop: number;
  readonly tone: number;
}

/** Bend, offsets and tone of each rod, and the side, are secret and kept nowhere. */
export async function behindReededGlass({ rgb, width: side }: Pixels, faceWidth: number): Promise<Buffer> {
  const count = Math.round(Math.min(FLUTES.max, Math.max(FLUTES.min, FLUTES_PER_FACE / faceWidth)));
  const width = side / count;
  const flutes = Array.from({ length: count }, (_, n) => fluteAt((n + 0.5) * width, side));
  const isMirrored = randomInt(2) === 1;
  const columns = Array.from({ length: side }, (_, x) => {
    const { centre, bend, slip, drop, tone } = flutes[Math.min(count - 1, Math.floor((x + 0.5) / width))]!;
    const seenAt = (u: number) => reflect(Math.floor(centre + slip + lens(u) * width * bend), side);
    const seen = TAPS.map((tap) => seenAt((x + 0.5 + tap - centre) / (width / 2)));
    const { shade, gleam } = lightAt((x + 0.5 - centre) / (width / 2));
    const froms = seen.map((column) => (isMirrored ? side - 1 - column : column) * 3);
    return { froms, drop: Math.round(drop), light: (shade * (1 + tone)) / TAPS.length, gleam };
  });
  const out = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++) {
    if (y % ROWS_PER_TURN === 0) await setImmediate();
    for (let x = 0; x < side; x++) {
      const { froms, drop, light, gleam } = columns[x]!;
      const row = reflect(y + drop, side) * side * 3;
      const [one, two, three] = [row + froms[0]!, row + froms[1]!, row + froms[2]!];
      const grain = ((((x * 374_761_393 + y * 668_265_263) >>> 13) & 7) - 3.5) * 0.35;
      const at = (y * side + x) * 3;
      for (let c = 0; c < 3; c++)
        out[at + c] = toByte((rgb[one + c]! + rgb[two + c]! + rgb[three + c]!) * light + gleam + grain);
    }
  }
  return out;
}

function fluteAt(centre: number, side: number): Flute {
  return {
    centre,
    bend: 1.27 + randomInt(1_000) / 4_000,
    slip: secret() * SLIP * side,
    drop: secret() * DROP * side,
    tone: secret() * TONE,
  };
}

function reflect(at: number, side: number): number {
  const within = ((at % (2 * side)) + 2 * side) % (2 * side);
  return within < side ? within : 2 * side - 1 - within;
}

/** @param u -1 at the left edge of the flute, 1 at the right one */
function lens(u: number): number {
  return Math.asin(Math.max(-1, Math.min(1, u))) / (Math.PI / 2);
}

function lightAt(u: number): { shade: number; gleam: number } {
  const gleam = 26 * Math.exp(-(((u + 0.52) / 0.13) ** 2)) + 9 * Math.exp(-(((u - 0.68) / 0.1) ** 2));
  const groove = (0.26 * Math.max(0, Math.abs(u) - 0.82)) / 0.18;
  return { shade: 1 - (0.075 * u + groove) * SHINE, gleam: gleam * SHINE };
}

const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
