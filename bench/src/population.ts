import { createCipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { cellToLatLng, gridDisk, latLngToCell } from "h3-js";
import { PLACE_RADIUS_KM } from "@alcove/contract/limits";

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

export const EARTH_RADIUS_KM = 6371.007180918475;

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

/** Computes a member's secret place as the server does: distances count from there. */
export function createSecretPlace(pepper: string): (memberId: number, cell: Place) => Place {
  const digestOf = createBlindIndex(pepper);
  return (memberId, { cell, longitude, latitude }) => {
    const digest = digestOf(`secret place\0${memberId},${cell}`);
    const [area, turn] = [0, 6].map((at) => digest.readUIntBE(at, 6) / 2 ** 48) as [number, number];
    return destination(
      { longitude, latitude },
      (PLACE_RADIUS_KM - 0.001) * Math.sqrt(area),
      2 * Math.PI * turn,
    );
  };
}

/** @param bearing in radians from north */
export function destination(from: Omit<Place, "cell">, km: number, bearing: number): Place {
  const [lambda, phi] = [(from.longitude * Math.PI) / 180, (from.latitude * Math.PI) / 180];
  const arc = km / EARTH_RADIUS_KM;
  const there = Math.asin(Math.sin(phi) * Math.cos(arc) + Math.cos(phi) * Math.sin(arc) * Math.cos(bearing));
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(arc) * Math.cos(phi),
    Math.cos(arc) - Math.sin(phi) * Math.sin(there),
  );
  const [longitude, latitude] = [((lambda + turn) * 180) / Math.PI, (there * 180) / Math.PI];
  return { cell: packedCellAt(longitude, latitude), longitude, latitude };
}

export function placeNear(city: City, random: () => number, ringKm?: number): Place {
  const [longitude, latitude] = CITIES[city];
  const km = ringKm ?? ringOf(random());
  const north = (km * normal(random)) / 111.2;
  const east = (km * normal(random)) / (111.2 * Math.cos((latitude * Math.PI) / 180));
  return placeAt(longitude + east, latitude + north);
}

/** The centre of the grid cell. */
function placeAt(longitude: number, latitude: number): Place {
  const [middleLatitude, middleLongitude] = cellToLatLng(latLngToCell(latitude, longitude, 7));
  return { cell: packedCellAt(longitude, latitude), longitude: middleLongitude, latitude: middleLatitude };
}

/** After mode and resolution, the first seven hex digits are base cell and digits of a resolution 7 cell. */
function packedCellAt(longitude: number, latitude: number): number {
  return parseInt(latLngToCell(latitude, longitude, 7).slice(2, 9), 16);
}

/** Cells of resolution 4 around a place, in rings of about 40 kilometres. */
export function coarseCellsAround({ longitude, latitude }: Place, rings: number): number[] {
  return gridDisk(latLngToCell(latitude, longitude, 4), rings).map((h3) => parseInt(h3.slice(2, 9), 16) >> 9);
}

export function vectorOf({ longitude, latitude }: Place): [number, number, number] {
  const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** Months since the year 0, as the server stores a birth. */
export function monthOf(day: string): number {
  return 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1;
}

export function chordSquaredOf(km: number): number {
  return 4 * Math.sin(km / (2 * EARTH_RADIUS_KM)) ** 2;
}

/** A member's data key, as the server wraps it with the master key. */
export function wrapMemberKey(masterKey: Buffer, memberId: number): Buffer {
  return seal(masterKey, Buffer.alloc(0), memberKey(memberId), `data_keys.wrapped_key:${memberId}`);
}

/** The secrets of a bench server, which also encrypt its seeded rows. */
export interface BenchKeys {
  readonly id: string;
  readonly bytes: Buffer;
  readonly pepper: string;
}

export function createKeys(): BenchKeys {
  return { id: "bench", bytes: randomBytes(32), pepper: randomBytes(32).toString("base64") };
}

export function keyVariables({ id, bytes, pepper }: BenchKeys) {
  return { SEALING_KEYS: `${id}:${bytes.toString("base64")}`, PASSWORD_PEPPER: pepper };
}

/** Finds the login of a folded user id, as the server does. */
export function createUserIdDigest(pepper: string): (userId: string) => Buffer {
  const digestOf = createBlindIndex(pepper);
  return (userId) => digestOf(`user id\0${userId}`);
}

function createBlindIndex(pepper: string): (text: string) => Buffer {
  const key = Buffer.from(hkdfSync("sha256", pepper, "", "alcove blind index", 32));
  return (text) => createHmac("sha256", key).update(text).digest();
}

export function encryptUserId(memberId: number, userId: string): Buffer {
  return encrypt(memberId, userId, `members.encrypted_user_id:${memberId}`, 32);
}

export function encryptProfile(memberId: number, text: string): Buffer {
  return encrypt(memberId, text, `profiles.encrypted_profile:${memberId}`, 256);
}

/** The server's format: version, key id, nonce, padded text and tag, bound to the context. */
function encrypt(memberId: number, text: string, context: string, step: number): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 2;
  head.writeBigInt64BE(BigInt(memberId), 1);
  const plain = Buffer.from(text);
  const padded = Buffer.alloc((Math.floor(plain.length / step) + 1) * step);
  padded.set(plain);
  padded[plain.length] = 0x80;
  return seal(memberKey(memberId), head, padded, context);
}

function memberKey(memberId: number): Buffer {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(memberId, 28);
  return key;
}

function seal(key: Buffer, head: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(context)]));
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
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
