import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { ICON_PIXELS } from "@alcove/contract/limits";
import type { FaceDetector } from "../../integrations/face-detection/face-detection.ts";
import { SAMPLES } from "../../media/encoding/lost-detail.ts";
import { processIcon } from "../../media/encoding/re-encode.ts";
import {
  type Box,
  type Descriptor,
  loadFaceLibrary,
  MATCH_BELOW,
  samplesFolder,
  type Square,
} from "./face-library.ts";
import { average, type Glass, restore } from "./restoration.ts";

/**
 * Measures whether a face library recognises processed pictures, also after attempts to restore them. Run: `npm run
 * faces [-- FOLDER…] [--sheet FILE]`. Folders add pictures of people to the package's samples.
 *
 * The detector gets only the place of the face. In the product, doubtful faces and other detectors make the loss of
 * detail larger.
 */
const { values: options, positionals: folders } = parseArgs({
  options: { sheet: { type: "string" } },
  allowPositionals: true,
});

const SURE = 0.7;
/** Smaller faces in a source would be enlarged and have no detail to lose. */
const MIN_FACE_PX = 90;
/** An original so close to a pane without a face matches any processed picture. */
const LIKE_A_PANE = MATCH_BELOW + 0.05;
/** Behind empty panes: dark, grey, skin, light. */
const PANES = ["#28231e", "#808080", "#7a5038", "#c8a082", "#ebebeb"];
const PANE_FACES = [0.25, 0.5, 0.8];
const AVERAGED = 8;
/** Averages are slow: every seventh face, so that each variant comes. */
const AVERAGED_OF = 7;
const REPORT_EVERY = 20;
const SHEET_FACES = 4;

interface Variant {
  readonly name: string;
  /** The face's share of the picture's side. */
  readonly share: number;
  readonly light: number;
  readonly degrees: number;
  readonly shift: number;
}

const plainVariant: Variant = { name: "plain", share: 0.35, light: 1, degrees: 0, shift: 0 };
const VARIANTS: readonly Variant[] = [
  plainVariant,
  { ...plainVariant, name: "close", share: 0.6 },
  { ...plainVariant, name: "distant", share: 0.18 },
  { ...plainVariant, name: "dark", light: 0.5 },
  { ...plainVariant, name: "bright", light: 1.5 },
  { ...plainVariant, name: "tilted left", degrees: -14 },
  { ...plainVariant, name: "tilted right", degrees: 14, share: 0.25 },
  { ...plainVariant, name: "off centre", shift: 0.2, share: 0.28 },
];

interface Source {
  readonly file: string;
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly box: Box;
  readonly person: number;
}

interface Attack {
  readonly name: string;
  readonly distances: number[];
  closest: number;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const library = await loadFaceLibrary();

async function sourcesIn(files: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  const people: Descriptor[][] = [];
  for (const file of files) {
    const { data: pixels, info } = await sharp(await readFile(file))
      .rotate()
      .resize(1_920, 1_920, { fit: "inside", withoutEnlargement: true })
      .flatten()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    for (const { box, descriptor } of await library.find(pixels, [height, width], SURE)) {
      if (Math.max(box.width, box.height) < MIN_FACE_PX) continue;
      let person = people.findIndex(
        (known) => mean(known.map((one) => library.distance(one, descriptor))) < MATCH_BELOW,
      );
      if (person === -1) person = people.push([]) - 1;
      people[person]!.push(descriptor);
      sources.push({ file, pixels, width, height, box, person });
    }
  }
  return sources;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value) / values.length;

/** The area beyond the source repeats its edge. */
async function pictureOf(source: Source, variant: Variant): Promise<{ png: Buffer; face: Box }> {
  const { box, width, height } = source;
  const size = Math.max(box.width, box.height);
  const side = Math.round(size / variant.share);
  const [middleX, middleY] = [box.x + box.width / 2 - variant.shift * side, box.y + box.height / 2];
  const [left, top] = [Math.round(middleX - side / 2), Math.round(middleY - side / 2)];
  const inside = { left: Math.max(0, left), top: Math.max(0, top) };
  const right = Math.min(width, left + side);
  const bottom = Math.min(height, top + side);
  const cut = await sharp(source.pixels, { raw: { width, height, channels: 3 } })
    .extract({ ...inside, width: right - inside.left, height: bottom - inside.top })
    .extend({
      left: inside.left - left,
      top: inside.top - top,
      right: left + side - right,
      bottom: top + side - bottom,
      extendWith: "copy",
    })
    .raw()
    .toBuffer();
  const small = Math.min(side, ICON_PIXELS);
  const reduced = await sharp(cut, { raw: { width: side, height: side, channels: 3 } })
    .resize(small, small)
    .raw()
    .toBuffer();
  const turned = await sharp(reduced, { raw: { width: small, height: small, channels: 3 } })
    .rotate(variant.degrees, { background: "#888" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const inset = Math.round((turned.info.width - small) / 2);
  const png = await sharp(turned.data, { raw: { ...turned.info, channels: 3 } })
    .extract({ left: inset, top: inset, width: small, height: small })
    .resize(ICON_PIXELS, ICON_PIXELS)
    .linear(variant.light, 0)
    .png()
    .toBuffer();
  const [faceWidth, faceHeight] = [box.width / side, box.height / side];
  const face = {
    x: 0.5 + variant.shift - faceWidth / 2,
    y: 0.5 - faceHeight / 2,
    width: faceWidth,
    height: faceHeight,
  };
  return { png, face };
}

const toldOf = (face: Box): FaceDetector => ({
  detect: () => Promise.resolve([{ by: "thorough", quarters: 0, score: 0.99, ...face }]),
  close: () => undefined,
});

async function squareOf(png: Buffer): Promise<Square> {
  return { rgb: await sharp(png).removeAlpha().raw().toBuffer(), side: ICON_PIXELS };
}

async function processed(png: Buffer, face: Box): Promise<Square> {
  const file = new File([new Uint8Array(png)], "picture");
  return { rgb: (await processIcon(file, toldOf(face))).pixels.rgb, side: ICON_PIXELS };
}

function glassOf(face: Box): Glass {
  const faceWidth = Math.max(face.width, face.height) * (4 / 3);
  const flutes = Math.round(Math.min(18, Math.max(12, 7 / faceWidth)));
  return { flutes, meanReach: 0.72 + 0.675, sigma: (ICON_PIXELS / SAMPLES.people.across) * 0.5 };
}

const files = (await readdir(samplesFolder))
  .filter((name) => /^sample\d+\.jpg$/.test(name))
  .map((name) => join(samplesFolder, name));
for (const folder of folders)
  for (const name of (await readdir(folder)).toSorted())
    if (/\.(jpe?g|png)$/.test(name)) files.push(join(folder, name));
const sources = await sourcesIn(files);
const people = new Set(sources.map(({ person }) => person)).size;
print(
  `${files.length} source pictures, ${sources.length} faces of ${people} people by the library's own comparison.`,
);

const panes: Descriptor[] = [];
for (const background of PANES) {
  const empty = sharp({ create: { width: ICON_PIXELS, height: ICON_PIXELS, channels: 3, background } });
  for (const size of PANE_FACES) {
    const place = { x: (1 - size) / 2, y: (1 - size) / 2, width: size, height: size };
    const pane = await processed(await empty.clone().png().toBuffer(), place);
    const [at, width] = [place.x * ICON_PIXELS, size * ICON_PIXELS];
    panes.push(await library.describe(pane, { x: at, y: at, width, height: width }));
  }
}
const isLikeAPane = (own: Descriptor): boolean =>
  panes.some((pane) => library.distance(own, pane) < LIKE_A_PANE);

const gallery = new Map<number, Descriptor>();
const attack = (name: string): Attack => ({ name, distances: [], closest: 0 });
const attacks = {
  clear: attack("control: another picture, not processed"),
  found: attack("processed, where a detector sees a face (from a score of 0.1)"),
  told: attack("processed, cut where the face is known to be"),
  others: attack("processed, compared with the other people"),
  restored: attack("restored from one picture"),
  averaged: attack(`restored from ${AVERAGED} processings of one picture`),
  panes: attack("left out: originals that resemble an empty pane"),
  panesOfOthers: attack("left out: the same, compared with pictures of other people"),
};

/** Originals of other people are compared with these. */
const hiddenBefore: { person: number; descriptor: Descriptor }[] = [];
/** These rows have no right person. */
const NOT_RANKED: readonly Attack[] = [attacks.others, attacks.panes, attacks.panesOfOthers];

function note(to: Attack, person: number, own: Descriptor, seen: Descriptor): void {
  const distance = library.distance(own, seen);
  to.distances.push(distance);
  const isClosest = [...gallery].every(
    ([other, descriptor]) => other === person || library.distance(descriptor, seen) > distance,
  );
  if (isClosest) to.closest++;
}

const tiles: Buffer[] = [];
const keep = async ({ rgb, side }: Square) =>
  tiles.push(
    await sharp(rgb, { raw: { width: side, height: side, channels: 3 } })
      .resize(170, 170)
      .png()
      .toBuffer(),
  );

/** Clear pictures come first, so that every face is in the gallery. */
const plains = new Map<Source, { aligned: Box; descriptor: Descriptor }>();
for (const source of sources) {
  const square = await squareOf((await pictureOf(source, plainVariant)).png);
  const found = await nearestToMiddle(square);
  if (!found) continue;
  const descriptor = await library.describe(square, found.aligned);
  plains.set(source, { aligned: found.aligned, descriptor });
  if (!gallery.has(source.person) && !isLikeAPane(descriptor)) gallery.set(source.person, descriptor);
}

async function nearestToMiddle({ rgb, side }: Square, middle = [side / 2, side / 2]) {
  const found = await library.find(rgb, [side, side], 0.3);
  return found.toSorted((a, b) => distanceTo(a.box, middle) - distanceTo(b.box, middle))[0];
}

function distanceTo({ x, y, width, height }: Box, [middleX, middleY]: readonly number[]): number {
  return Math.hypot(x + width / 2 - middleX!, y + height / 2 - middleY!);
}

/** Each face comes twice, so that the first half has all people. */
const trials = [0, 3].flatMap((offset) =>
  [...plains].map(([source, known], n) => ({
    source,
    known,
    variant: VARIANTS[(n + offset) % VARIANTS.length]!,
    n,
  })),
);
let pictures = 0;
for (const { source, known, variant, n } of trials) {
  const { png, face } = await pictureOf(source, variant);
  const clear = await squareOf(png);
  const middle = [(face.x + face.width / 2) * ICON_PIXELS, (face.y + face.height / 2) * ICON_PIXELS];
  const aligned = variant === plainVariant ? known.aligned : (await nearestToMiddle(clear, middle))?.aligned;
  // The library does not see the clear face either, or only a neighbour's.
  if (!aligned || distanceTo(aligned, middle) > (face.width * ICON_PIXELS) / 2) continue;
  const own = await library.describe(clear, aligned);
  const hidden = await processed(png, face);
  const seen = await library.describe(hidden, aligned);
  if (isLikeAPane(own)) {
    attacks.panes.distances.push(library.distance(own, seen));
    for (const { person, descriptor } of hiddenBefore)
      if (person !== source.person) attacks.panesOfOthers.distances.push(library.distance(own, descriptor));
    continue;
  }
  if (variant !== plainVariant) note(attacks.clear, source.person, known.descriptor, own);
  note(attacks.told, source.person, own, seen);
  hiddenBefore.push({ person: source.person, descriptor: seen });
  for (const [person, descriptor] of gallery)
    if (person !== source.person) attacks.others.distances.push(library.distance(descriptor, seen));
  for (const { box, descriptor } of await library.find(hidden.rgb, [ICON_PIXELS, ICON_PIXELS], 0.1))
    if (distanceTo(box, middle) < face.width * ICON_PIXELS * 0.7)
      note(attacks.found, source.person, own, descriptor);
  const restored = await restore(hidden, glassOf(face));
  note(attacks.restored, source.person, own, await library.describe(restored, aligned));
  if (++pictures % REPORT_EVERY === 0) report();

  if (n % AVERAGED_OF !== 0) continue;
  const many = [hidden];
  while (many.length < AVERAGED) many.push(await processed(png, face));
  const joined = await restore(average(many), { ...glassOf(face), meanReach: 0.5 });
  note(attacks.averaged, source.person, own, await library.describe(joined, aligned));
  if (tiles.length < SHEET_FACES * 4) for (const one of [clear, hidden, restored, joined]) await keep(one);
  if (tiles.length === SHEET_FACES * 4 && options.sheet) await saveSheet(options.sheet);
}
report();

function report(): void {
  print(
    `\n${pictures} of ${trials.length} pictures; a match is a distance below ${MATCH_BELOW}. By chance ${(100 / gallery.size).toFixed(1)} % are closest to the right one of ${gallery.size} people.\n`,
  );
  print("| attack | faces | matches | smallest distance | median | closest to the right person |");
  print("| --- | --- | --- | --- | --- | --- |");
  for (const one of Object.values(attacks)) {
    const { name, distances, closest } = one;
    const sorted = distances.toSorted((a, b) => a - b);
    const matches = sorted.filter((distance) => distance < MATCH_BELOW).length;
    const [least, middle] = [sorted[0], sorted[Math.floor(sorted.length / 2)]].map(
      (value) => value?.toFixed(2) ?? "–",
    );
    const percent = (part: number) =>
      sorted.length > 0 ? `${((100 * part) / sorted.length).toFixed(1)} %` : "–";
    const cells = [name, sorted.length, `${matches} (${percent(matches)})`, least, middle];
    print(`| ${[...cells, NOT_RANKED.includes(one) ? "–" : percent(closest)].join(" | ")} |`);
  }
}

async function saveSheet(file: string): Promise<void> {
  const columns = 4;
  await sharp({
    create: {
      width: columns * 176 - 6,
      height: (tiles.length / columns) * 176 - 6,
      channels: 3,
      background: "#eaeee9",
    },
  })
    .composite(
      tiles.map((input, i) => ({ input, left: (i % columns) * 176, top: Math.floor(i / columns) * 176 })),
    )
    .webp({ quality: 82 })
    .toFile(file);
}
