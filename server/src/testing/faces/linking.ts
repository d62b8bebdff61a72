import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { ICON_PIXELS } from "@alcove/contract/limits";
import type { FaceCandidate, FaceDetector } from "../../integrations/face-detection/face-detection.ts";
import { processIcon } from "../../media/encoding/re-encode.ts";
import { samplesFolder, type Square } from "./face-library.ts";

/** `share` is that of the shorter side. */
const CROPS = [
  { share: 1, x: 0.5, y: 0.5 },
  { share: 0.8, x: 0.3, y: 0.2 },
  { share: 0.8, x: 0.7, y: 0.3 },
  { share: 0.62, x: 0.5, y: 0.15 },
];
const OWN_PROCESSINGS = 5;
const COLUMNS = { across: 24, down: 8 };

interface Crop {
  readonly photograph: string;
  readonly png: Buffer;
  readonly clear: Square;
  readonly sightings: Awaited<ReturnType<FaceDetector["detect"]>>;
}

/** Numbers of pictures whose closest is their original, or a crop of its photograph. */
interface Found {
  readonly attack: string;
  readonly originals: number;
  readonly photographs: number;
}

interface Comparison {
  readonly name: string;
  describe(square: Square): Promise<number[]>;
  similarity(one: readonly number[], other: readonly number[]): number;
}

const product = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, i) => sum + value * other[i]!, 0);

const COMPARISONS: readonly Comparison[] = [
  { name: "structure in grey", describe: structureOf, similarity: product },
  {
    name: "light of 6 by 6 parts",
    describe: async (square) => even(await partsOf(square, true)),
    similarity: product,
  },
  {
    name: "colours of 6 by 6 parts",
    describe: async (square) => even(await partsOf(square)),
    similarity: product,
  },
  {
    name: "colours of 6 by 6 parts, each channel alone",
    describe: async (square) => {
      const parts = await partsOf(square);
      return even([0, 1, 2].flatMap((c) => even(parts.filter((_, i) => i % 3 === c))));
    },
    similarity: product,
  },
  { name: "shares of colours", describe: sharesOfColours, similarity: product },
  { name: "columns, each at its best place", describe: columnsOf, similarity: columnSimilarity },
];

/** Mean 0 and length 1, so that brightness and contrast do not count. */
function even(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.hypot(...values.map((value) => value - mean)) || 1;
  return values.map((value) => (value - mean) / length);
}

const sharpOf = ({ rgb, side }: Square) => sharp(rgb, { raw: { width: side, height: side, channels: 3 } });

async function partsOf(square: Square, isGrey = false): Promise<number[]> {
  const small = sharpOf(square).resize(6, 6, { fit: "fill", kernel: "cubic" });
  return [...(await (isGrey ? small.greyscale() : small).raw().toBuffer())];
}

async function structureOf(square: Square): Promise<number[]> {
  const size = { width: 48, height: 48, channels: 1 } as const;
  const grey = await sharpOf(square).resize(48, 48, { fit: "fill" }).greyscale().raw().toBuffer();
  const blurred = await sharp(grey, { raw: size }).blur(5).greyscale().raw().toBuffer();
  return even([...grey].map((value, i) => value - blurred[i]!));
}

async function sharesOfColours(square: Square): Promise<number[]> {
  const rgb = await sharpOf(square).resize(24, 24, { fit: "fill" }).raw().toBuffer();
  const shares = Array.from({ length: 64 }, () => 0);
  const step = (value: number, size: number) => Math.max(0, Math.min(3, Math.floor(value / size)));
  for (let i = 0; i < rgb.length; i += 3) {
    const light = (rgb[i]! + rgb[i + 1]! + rgb[i + 2]!) / 3;
    shares[step(light, 64) * 16 + step(rgb[i]! - light + 48, 24) * 4 + step(rgb[i + 2]! - light + 48, 24)]! +=
      1;
  }
  return even(shares);
}

async function columnsOf(square: Square): Promise<number[]> {
  const { across, down } = COLUMNS;
  const rgb = [
    ...(await sharpOf(square).resize(across, down, { fit: "fill", kernel: "linear" }).raw().toBuffer()),
  ];
  const channels = [0, 1, 2].map((c) => even(rgb.filter((_, i) => i % 3 === c)));
  return rgb.map((_, i) => channels[i % 3]![Math.floor(i / 3)]!);
}

/** Each flute may show any column, higher or lower. */
function columnSimilarity(seen: readonly number[], original: readonly number[]): number {
  const { across, down } = COLUMNS;
  let total = 0;
  for (let one = 0; one < across; one++) {
    let least = Infinity;
    for (let other = 0; other < across; other++) {
      for (let shift = -2; shift <= 2; shift++) {
        let [difference, count] = [0, 0];
        for (let y = Math.max(0, -shift); y < Math.min(down, down - shift); y++, count += 3)
          for (let c = 0; c < 3; c++)
            difference += Math.abs(
              seen[(y * across + one) * 3 + c]! - original[((y + shift) * across + other) * 3 + c]!,
            );
        least = Math.min(least, difference / count);
      }
    }
    total -= least;
  }
  return total;
}

function mirrored({ rgb, side }: Square): Square {
  const out = new Uint8Array(rgb.length);
  for (let i = 0; i < side * side; i++) {
    const from = (i - (i % side) + side - 1 - (i % side)) * 3;
    out.set(rgb.subarray(from, from + 3), i * 3);
  }
  return { rgb: out, side };
}

export async function cropsOf(detector: FaceDetector): Promise<Crop[]> {
  const names = (await readdir(samplesFolder)).filter((name) => /^sample\d+\.jpg$/.test(name)).toSorted();
  const crops: Crop[] = [];
  for (const name of names) {
    const photograph = join(samplesFolder, name);
    const { width, height } = await sharp(photograph).metadata();
    for (const { share, x, y } of CROPS) {
      const side = Math.floor(Math.min(width, height) * share);
      const [left, top] = [Math.floor((width - side) * x), Math.floor((height - side) * y)];
      const cut = sharp(photograph).extract({ left, top, width: side, height: side });
      const png = await cut.resize(ICON_PIXELS, ICON_PIXELS).png().toBuffer();
      const clear = { rgb: await sharp(png).removeAlpha().raw().toBuffer(), side: ICON_PIXELS };
      crops.push({ photograph, png, clear, sightings: await detector.detect(clear.rgb, ICON_PIXELS) });
    }
  }
  return crops;
}

async function processed({ png, sightings }: Crop): Promise<Square> {
  const detector = {
    detect: () => Promise.resolve(sightings as readonly FaceCandidate[]),
    close: () => undefined,
  };
  const { pixels } = await processIcon(new File([new Uint8Array(png)], "picture"), detector);
  return { rgb: pixels.rgb, side: ICON_PIXELS };
}

/** The attacker has the originals and this code, not the secrets, and tries both sides. */
export async function measureLinking(crops: readonly Crop[], rounds: number): Promise<Found[]> {
  const seen: { at: number; sides: Square[] }[] = [];
  for (let round = 0; round < rounds; round++)
    for (const [at, crop] of crops.entries()) {
      const square = await processed(crop);
      seen.push({ at, sides: [square, mirrored(square)] });
    }
  const own: Square[][] = [];
  for (const crop of crops) {
    const squares: Square[] = [];
    while (squares.length < OWN_PROCESSINGS) squares.push(await processed(crop));
    own.push(squares);
  }

  const found: Found[] = [];
  for (const { name, describe, similarity } of COMPARISONS) {
    const originals = await Promise.all(crops.map(({ clear }) => describe(clear)));
    const closerSide = async (square: Square, original: readonly number[]) => {
      const [one, other] = [await describe(square), await describe(mirrored(square))];
      return similarity(one, original) >= similarity(other, original) ? one : other;
    };
    const common: number[][] = [];
    for (const [at, squares] of own.entries()) {
      const sides = await Promise.all(squares.map((square) => closerSide(square, originals[at]!)));
      common.push(even(sides[0]!.map((_, i) => sides.reduce((sum, side) => sum + side[i]!, 0))));
    }
    const described = await Promise.all(seen.map(({ sides }) => Promise.all(sides.map(describe))));
    for (const [kind, gallery] of [
      ["originals", originals],
      ["own processings", common],
    ] as const) {
      const firsts = described.map((sides) => {
        const scores = gallery.map((one) => Math.max(...sides.map((side) => similarity(side, one))));
        return scores.indexOf(Math.max(...scores));
      });
      const share = (isFound: (first: number, at: number) => boolean) =>
        firsts.filter((first, i) => isFound(first, seen[i]!.at)).length / rounds;
      found.push({
        attack: `${name}, compared with ${kind}`,
        originals: share((first, at) => first === at),
        photographs: share((first, at) => crops[first]!.photograph === crops[at]!.photograph),
      });
    }
  }
  return found;
}
