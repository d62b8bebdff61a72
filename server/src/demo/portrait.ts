import type { Sex } from "@alcove/contract/users";
import { SeededRandom } from "./seeded-random.ts";

type Tone = readonly [light: string, dark: string];

const SKINS: readonly Tone[] = [
  ["#f7dcc4", "#dcae8c"],
  ["#f0cfb0", "#d39d78"],
  ["#e9c09a", "#c48d66"],
  ["#d9a878", "#ab7648"],
  ["#b98458", "#8a5a36"],
  ["#8f5f3f", "#643d26"],
];
const HAIRS: readonly Tone[] = [
  ["#3a302c", "#15110f"],
  ["#5a4437", "#2b201b"],
  ["#7a5638", "#4a3120"],
  ["#a57a4a", "#6f4d2b"],
  ["#c9a368", "#94713c"],
  ["#8d4a32", "#5c2c1d"],
];
const GREYS: readonly Tone[] = [
  ["#b9b4ae", "#85807b"],
  ["#dcd8d2", "#a8a39d"],
  ["#6e6762", "#423d3a"],
];
const SHAPES = {
  /** Drawn behind the head, to the shoulders or below. */
  long: "M192 258C178 122 248 90 304 90c66 0 122 38 110 172-4 62 4 128-8 176-44 18-168 18-212 0-14-50 4-118-2-180Z",
  bob: "M196 262C184 128 250 92 304 92c62 0 116 36 104 170-2 52 0 84-14 112-30 12-160 12-188 0-14-28-8-64-10-112Z",
  bun: "M254 92c-10-56 102-58 94-2 44 16 66 62 60 150-40 26-176 26-216 0-4-92 20-132 62-148Z",
  short: "M208 250c-14-106 34-158 94-158s110 50 92 158c-28 20-158 20-186 0Z",
  none: "",
} as const;
const FRINGES = {
  parted:
    "M214 300c-14-92 2-172 92-190-10 44-44 66-66 98-14 22-18 56-26 92ZM300 110c70-8 104 52 88 194-8-38-12-80-32-104-18-20-46-44-56-90Z",
  full: "M214 268c-6-96 24-156 88-156s94 58 86 156c-10-26-16-40-24-54-44 12-86 12-128 0-8 14-16 30-22 54Z",
  swept:
    "M216 262c-10-98 30-152 92-152 56 0 88 50 80 152-8-30-16-52-34-72-50 10-100 6-126 22-6 14-10 30-12 50Z",
  crop: "M220 232c-10-82 26-124 80-124s90 42 80 124c-8-26-18-46-38-56-32-10-58-8-84 2-20 10-30 28-38 54Z",
  bald: "",
} as const;
type Shape = keyof typeof SHAPES;
type Fringe = keyof typeof FRINGES;

const WORN: Record<Sex, readonly (readonly [Shape, Fringe])[]> = {
  female: [
    ["long", "parted"],
    ["long", "full"],
    ["long", "swept"],
    ["bob", "parted"],
    ["bob", "full"],
    ["bob", "swept"],
    ["bun", "parted"],
    ["bun", "swept"],
    ["short", "swept"],
  ],
  male: [
    ["short", "crop"],
    ["short", "crop"],
    ["short", "swept"],
    ["short", "full"],
    ["short", "parted"],
    ["none", "crop"],
    ["none", "bald"],
    ["bob", "parted"],
  ],
};
/** With hair, as shares of the picture's side. */
export const DRAWN_FACE = { x: 0.34, y: 0.15, width: 0.32, height: 0.45 } as const;
const FACE =
  "M224 222C223 152 259 126 300 126s77 26 76 96c-1 40-10 68-26 88-14 17-32 28-50 28s-36-11-50-28c-16-20-25-48-26-88Z";
const NECKLINES = [
  "M238 408c14 42 110 42 124 0",
  "M232 410 300 512 368 410",
  "M244 404c10 18 102 18 112 0",
] as const;

interface Sitter {
  readonly sex: Sex;
  readonly age: number;
  readonly isElsewhere?: boolean;
}

/** Draws the same SVG for the same seed. */
export function drawPortrait(seed: string, { sex, age, isElsewhere = false }: Sitter): string {
  const random = new SeededRandom(`portrait ${seed}`);
  const skin = random.pick(SKINS);
  const isGrey = random.chance((age - 38) / 40);
  const [shape, fringe] = random.pick(WORN[sex]);
  const hair = random.pick(isGrey ? GREYS : HAIRS);
  const person = {
    beard: beard(random, sex, hair),
    glasses: glasses(random),
    earrings: earrings(random, sex, shape),
  };
  const scene = isElsewhere ? new SeededRandom(`elsewhere ${seed}`) : random;
  const wall = scene.integer(0, 359);
  const cloth = (wall + scene.integer(70, 290)) % 360;
  const clothLight = scene.integer(28, 78);
  const tilt = scene.integer(-5, 5);
  const size = (1.1 + scene.float() * 0.14).toFixed(3);
  const isLitFromRight = scene.chance(0.5);

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" width="600" height="600"><defs>
${gradient("w", [`hsl(${wall} 22% 76%)`, `hsl(${(wall + 24) % 360} 20% 54%)`])}
${gradient("c", [`hsl(${cloth} 30% ${clothLight}%)`, `hsl(${cloth} 34% ${clothLight - 18}%)`])}
${gradient("h", hair)}${gradient("s", skin)}
<radialGradient id="l" cx=".25" cy=".2" r=".75"><stop offset="0" stop-color="#fff3d6" stop-opacity=".8"/><stop offset="1" stop-color="#fff3d6" stop-opacity="0"/></radialGradient>
<clipPath id="f"><path d="${FACE}"/></clipPath></defs>
<g${isLitFromRight ? ' transform="matrix(-1 0 0 1 600 0)"' : ""}>
<rect width="600" height="600" fill="url(#w)"/>${backdrop(scene, wall)}<rect width="600" height="600" fill="url(#l)"/>
<g transform="translate(300 470) scale(${size}) translate(-300 -448) rotate(${tilt} 300 380)">
<path d="${SHAPES[shape]}" fill="url(#h)"/>
<path d="M258 290c2 50-2 88-18 112c6 46 114 46 120 0c-16-24-20-62-18-112Z" fill="url(#s)"/>
<path d="M262 318c22 30 58 34 80-4v40c-34 14-60 2-80-36Z" fill="#1a0f08" opacity=".16"/>
${clothes(scene, cloth, clothLight)}
<path d="${FACE}" fill="url(#s)"/>
<g clip-path="url(#f)"><path d="M303 100c8 44-3 92 2 132 3 16 16 24 12 34-4 8-14 6-16 14-2 10 8 16 5 26-3 12-6 30-4 48h120V100Z" fill="${skin[1]}" opacity=".55"/>${person.beard}</g>
<path d="${FRINGES[fringe]}" fill="url(#h)"/>${person.glasses}${person.earrings}
</g></g></svg>`;
}

export function drawView(seed: string): string {
  const random = new SeededRandom(`view ${seed}`);
  const sky = random.pick([20, 200, 220, 260, 340]);
  const land = random.pick([90, 130, 165, 200]);
  const [sunX, sunY] = [random.integer(120, 480), random.integer(150, 290)];
  const hills = [0, 1, 2, 3].map((n) => {
    const [top, left, right] = [300 + n * 70, random.integer(-70, 50), random.integer(-70, 50)];
    const fill = `hsl(${land} ${26 - n * 2}% ${58 - n * 12}%)`;
    return `<path d="M0 ${top + left}C140 ${top + left - 90} 240 ${top + 60} 350 ${top}S520 ${top + right - 60} 600 ${top + right}V600H0Z" fill="${fill}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" width="600" height="600"><defs>
<linearGradient id="k" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${sky} 32% 48%)"/><stop offset=".65" stop-color="hsl(38 74% 80%)"/></linearGradient></defs>
<rect width="600" height="600" fill="url(#k)"/><circle cx="${sunX}" cy="${sunY}" r="130" fill="#fff3d6" opacity=".3"/><circle cx="${sunX}" cy="${sunY}" r="54" fill="#fff3d6"/>
${hills.join("")}</svg>`;
}

function gradient(id: string, [light, dark]: Tone): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2=".6"><stop offset=".05" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`;
}

function backdrop(random: SeededRandom, hue: number): string {
  const [x, y] = [random.integer(30, 130), random.integer(30, 110)];
  const tint = `hsl(${(hue + 40) % 360} 30% ${random.integer(66, 86)}%)`;
  const ground = `hsl(${(hue + 330) % 360} 22% ${random.integer(44, 60)}%)`;
  return random.pick([
    "",
    `<circle cx="${x + 360}" cy="${y + 60}" r="${random.integer(50, 100)}" fill="${tint}" opacity=".7"/>`,
    `<path d="M0 ${y + 330}C150 ${y + 240} 260 ${y + 350} 380 ${y + 290}S540 ${y + 250} 600 ${y + 300}V600H0Z" fill="${ground}" opacity=".6"/>`,
    `<path d="M${x} ${y}h150v260h-150Zm14 14v110h54v-110Zm68 0v110h54v-110Z" fill="${tint}" opacity=".55"/>`,
    `<path d="M0 ${y + 90}h600v12H0ZM0 ${y + 250}h600v12H0Z" fill="${ground}" opacity=".6"/>`,
  ]);
}

function clothes(random: SeededRandom, hue: number, light: number): string {
  const shade = `hsl(${hue} 30% ${light > 50 ? light - 26 : light + 22}%)`;
  const pattern = random.pick([
    "",
    "",
    `<path d="M300 452V640" stroke="${shade}" stroke-width="5"/>`,
    `<path d="M120 520h360M100 556h400M84 592h432" stroke="${shade}" stroke-width="9" opacity=".5"/>`,
  ]);
  return `<path d="M48 640C52 500 128 450 238 408c14 42 110 42 124 0C472 450 548 500 552 640Z" fill="url(#c)"/>${pattern}
<path d="${random.pick(NECKLINES)}" fill="none" stroke="${shade}" stroke-width="${random.integer(6, 16)}" stroke-linecap="round"/>
<path d="M48 640C52 520 118 462 190 428c-40 50-58 110-62 212Z" fill="#fff" opacity=".07"/>`;
}

function beard(random: SeededRandom, sex: Sex, [light, dark]: Tone): string {
  if (sex === "female" || !random.chance(0.3)) return "";
  return `<path d="M220 262c14 44 40 34 80 30 40 4 66 14 80-30v90H220Z" fill="${random.pick([light, dark])}" opacity="${random.pick([".55", ".9"])}"/>`;
}

function glasses(random: SeededRandom): string {
  if (!random.chance(0.25)) return "";
  const round = random.pick([10, 26]);
  return `<g fill="#fff" fill-opacity=".12" stroke="#2a2522" stroke-width="5"><rect x="236" y="212" width="56" height="46" rx="${round}"/><rect x="310" y="212" width="56" height="46" rx="${round}"/><path d="M292 228q9-8 18 0" fill="none"/></g>`;
}

function earrings(random: SeededRandom, sex: Sex, shape: Shape): string {
  if (sex === "male" || (shape !== "bun" && shape !== "short") || !random.chance(0.6)) return "";
  return `<g fill="${random.pick(["#e8d9a8", "#dfe6ea", "#b6e0d6"])}"><circle cx="224" cy="276" r="7"/><circle cx="376" cy="276" r="7"/></g>`;
}
