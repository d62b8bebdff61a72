import { randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";

const FLUTES_PER_FACE = 7;
const FLUTES = { min: 12, max: 28 };
/** In widths of a flute. Smaller offsets would not show as glass. */
const SLIP = 2.5;
/** As a share of the face with its hair. */
const DROP = 0.15;
const TONE = 0.14;
const SHINE = 0.6;
const TAPS = [-1 / 3, 0, 1 / 3];
/** Rows between two turns of the event loop: a few milliseconds. */
const ROWS_PER_TURN = 60;

export interface Pane {
  readonly side: number;
  readonly soft: Uint8Array;
  readonly clear: Uint8Array;
  /** 1 where only `soft` may be seen, 0 where the clear picture may; null is 1 everywhere. */
  readonly strength: Float32Array | null;
  /** A share of the side. */
  readonly faceWidth: number;
}

interface Flute {
  readonly centre: number;
  readonly bend: number;
  readonly slip: number;
  readonly drop: number;
  readonly tone: number;
}

/**
 * Bend, offsets and tone of a rod are secret and kept nowhere. The mask holds for a pixel's source and its place, so
 * that no clear pixel of a face is used.
 */
export async function behindReededGlass({ side, soft, clear, strength, faceWidth }: Pane): Promise<Buffer> {
  const count = Math.round(Math.min(FLUTES.max, Math.max(FLUTES.min, FLUTES_PER_FACE / faceWidth)));
  const width = side / count;
  const flutes = Array.from({ length: count }, (_, n) => fluteAt((n + 0.5) * width, width, side * faceWidth));
  const strengthAt = (at: number) => (strength ? strength[at]! : 1);
  const out = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++) {
    if (y % ROWS_PER_TURN === 0) await setImmediate();
    for (let x = 0; x < side; x++) {
      const { centre, bend, slip, drop, tone } = flutes[Math.min(count - 1, Math.floor((x + 0.5) / width))]!;
      const at = y * side + x;
      const own = strengthAt(at);
      const reach = width * (0.5 + 0.22 + own * bend);
      const row = Math.max(0, Math.min(side - 1, Math.round(y + drop * own)));
      let [red, green, blue] = [0, 0, 0];
      for (const tap of TAPS) {
        const seen = centre + slip * own + lens((x + 0.5 + tap - centre) / (width / 2)) * reach;
        const from = row * side + Math.max(0, Math.min(side - 1, Math.floor(seen)));
        const softness = Math.max(own, strengthAt(from));
        red += mix(clear[from * 3]!, soft[from * 3]!, softness);
        green += mix(clear[from * 3 + 1]!, soft[from * 3 + 1]!, softness);
        blue += mix(clear[from * 3 + 2]!, soft[from * 3 + 2]!, softness);
      }
      const { shade, gleam } = lightAt((x + 0.5 - centre) / (width / 2), 1 + own * SHINE);
      const light = shade * (1 + own * tone);
      const grain = ((((x * 374_761_393 + y * 668_265_263) >>> 13) & 7) - 3.5) * 0.35;
      out[at * 3] = toByte((red / TAPS.length) * light + gleam + grain);
      out[at * 3 + 1] = toByte((green / TAPS.length) * light + gleam + grain);
      out[at * 3 + 2] = toByte((blue / TAPS.length) * light + gleam + grain);
    }
  }
  return out;
}

function fluteAt(centre: number, width: number, face: number): Flute {
  return {
    centre,
    bend: 0.55 + randomInt(1_000) / 4_000,
    slip: (secret() * width * SLIP) / 2,
    drop: secret() * face * DROP,
    tone: secret() * TONE,
  };
}

/** From -1 to 1. */
export function secret(): number {
  return randomInt(-1_000, 1_001) / 1_000;
}

/** @param u -1 at the left edge of the flute, 1 at the right one */
function lens(u: number): number {
  return Math.asin(Math.max(-1, Math.min(1, u))) / (Math.PI / 2);
}

function lightAt(u: number, strength: number): { shade: number; gleam: number } {
  const gleam = 26 * Math.exp(-(((u + 0.52) / 0.13) ** 2)) + 9 * Math.exp(-(((u - 0.68) / 0.1) ** 2));
  const groove = (0.26 * Math.max(0, Math.abs(u) - 0.82)) / 0.18;
  return { shade: 1 - (0.075 * u + groove) * strength, gleam: gleam * strength };
}

const mix = (clear: number, soft: number, softness: number): number => clear + (soft - clear) * softness;
const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
