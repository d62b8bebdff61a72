import { createCipheriv } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { cellToLatLng, gridDisk, latLngToCell } from "h3-js";

/** With the columns that the search reads. */
export interface SampleMember {
  readonly memberId: number;
  readonly sex: "female" | "male";
  readonly born: string;
  readonly seeks: "female" | "male" | "all";
  readonly minAge: number;
  readonly maxAge: number;
  readonly maxKm: number;
  readonly place: Place;
  readonly away: number;
  /** The random rank among members of the same day, 0 to 1,023. */
  readonly randomRank: number;
}

export interface Place {
  readonly cell: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** Seeded, from 0 up to but not including 1. */
export function seededRandom(seed: number): () => number {
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}

/** Longitude, latitude, share of the members. */
export const CITIES = {
  tokyo: [139.77, 35.68, 15],
  taipei: [121.56, 25.03, 8],
  hongKong: [114.16, 22.3, 7],
  osaka: [135.5, 34.69, 6],
  nagoya: [136.9, 35.18, 4],
  fukuoka: [130.4, 33.59, 3],
  sapporo: [141.35, 43.06, 3],
  kaohsiung: [120.31, 22.63, 4],
  taichung: [120.68, 24.15, 4],
  singapore: [103.82, 1.35, 5],
  shanghai: [121.47, 31.23, 5],
  london: [-0.13, 51.51, 5],
  newYork: [-73.99, 40.75, 5],
  losAngeles: [-118.24, 34.05, 4],
  sydney: [151.21, -33.87, 3],
  berlin: [13.4, 52.52, 3],
} as const;
export type City = keyof typeof CITIES;

/** Distance from the city centre: share, and kilometres of one standard deviation. */
const RINGS = [
  [0.62, 9],
  [0.3, 25],
  [0.065, 90],
  [0.015, 260],
] as const;

const TODAY = new Date();

/** A realistic population: cities, 70 men to 30 women, ages around 42, a fifth active today. */
export function* generateMembers(
  count: number,
  firstNo: number,
  random: () => number,
): Generator<SampleMember> {
  for (let i = 0; i < count; i++) {
    const sex = random() < 0.7 ? "male" : "female";
    const age = Math.min(65, Math.max(25, 42 + 8.5 * normal(random)));
    const preference = random();
    const hasAges = random() >= 0.4;
    const middle = age + (sex === "male" ? -3 : 3) + 4 * normal(random);
    yield {
      memberId: firstNo + i,
      sex,
      born: new Date(TODAY.getTime() - age * 365.25 * 86_400_000).toISOString().slice(0, 10),
      seeks: preference < 0.92 ? (sex === "male" ? "female" : "male") : preference < 0.96 ? sex : "all",
      minAge: hasAges ? Math.min(60, Math.max(18, Math.round(middle - 5 - 8 * random()))) : 0,
      maxAge: hasAges ? Math.max(60, Math.round(middle + 5 + 8 * random())) : 120,
      maxKm: random() < 0.5 ? 500 : Math.round(10 + 300 * random()),
      place: placeNear(pick(CITIES, random), random),
      away: Math.floor(awayDays(random)),
      randomRank: Math.floor(1_024 * random()),
    };
  }
}

export function placeNear(city: City, random: () => number, ringKm?: number): Place {
  const [longitude, latitude] = CITIES[city];
  const km = ringKm ?? ringOf(random());
  const north = (km * normal(random)) / 111.2;
  const east = (km * normal(random)) / (111.2 * Math.cos((latitude * Math.PI) / 180));
  return placeAt(longitude + east, latitude + north);
}

export function placeAt(longitude: number, latitude: number): Place {
  const h3 = latLngToCell(latitude, longitude, 7);
  const [middleLatitude, middleLongitude] = cellToLatLng(h3);
  // After mode and resolution, the first seven hex digits are base cell and digits of a resolution 7 cell.
  return { cell: parseInt(h3.slice(2, 9), 16), longitude: middleLongitude, latitude: middleLatitude };
}

/** Cells of resolution 4 around a place, in rings of about 40 kilometres. */
export function coarseCellsAround({ longitude, latitude }: Place, rings: number): number[] {
  return gridDisk(latLngToCell(latitude, longitude, 4), rings).map((h3) => parseInt(h3.slice(2, 9), 16) >> 9);
}

export function vectorOf({ longitude, latitude }: Place): [number, number, number] {
  const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** On the unit sphere. */
export function chordSquaredOf(km: number): number {
  return 4 * Math.sin(km / (2 * 6371.007180918475)) ** 2;
}

/** The server's format: version, key name, nonce, text and tag, bound to the context. */
export function encryptProfile(key: Buffer, keyId: string, memberId: number, text: string): Buffer {
  const id = Buffer.from(keyId);
  const head = Buffer.concat([Buffer.from([1, id.length]), id]);
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(memberId, 8);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(`profiles.encrypted_profile:${memberId}`)]));
  return Buffer.concat([head, nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function ringOf(position: number): number {
  let sum = 0;
  for (const [share, km] of RINGS) {
    sum += share;
    if (position < sum) return km;
  }
  return RINGS[0][1];
}

function pick(cities: typeof CITIES, random: () => number): City {
  const names = Object.keys(cities) as City[];
  let left = random() * names.reduce((sum, name) => sum + cities[name][2], 0);
  return names.find((name) => (left -= cities[name][2]) < 0) ?? "tokyo";
}

/** 22 % today, 42 % within a week, 62 % within a month, 80 % within three months. */
function awayDays(random: () => number): number {
  const share = random();
  if (share < 0.22) return 0;
  if (share < 0.42) return 1 + 6 * random();
  if (share < 0.62) return 7 + 23 * random();
  return share < 0.8 ? 30 + 60 * random() : 90 + 300 * random();
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
