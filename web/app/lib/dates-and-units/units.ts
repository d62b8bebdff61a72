import { parseNumber } from "@alcove/contract/fields";
import { foldTyped } from "@alcove/contract/text-rules";

/**
 * Returns feet and inches as the wire's number, feet + inches/100: 5.11 is 5 ft 11 in. Other text than whole numbers gives
 * no number, and inches that no height has stay so.
 */
export function fromFeet(feet: string, inches: string): string {
  const whole = foldTyped(feet);
  const rest = foldTyped(inches);
  if (whole === "" && rest === "") return "";
  return /^\d+$/.test(whole) && /^\d*$/.test(rest)
    ? `${whole}.${String(Math.min(Number(rest), 99)).padStart(2, "0")}`
    : `${whole} ft ${rest} in`;
}

export function toFeet(tall: number): { feet: number; inches: number } {
  const hundredths = Math.round(tall * 100);
  return { feet: Math.floor(hundredths / 100), inches: hundredths % 100 };
}

/** In the smallest unit of each kind. */
const SIZES = {
  kg: 1,
  pound: 0.45359237,
  cm: 1,
  inch: 2.54,
  km: 1,
  mile: 1.609344,
  day: 1,
  month: 365.25 / 12,
  year: 365.25,
} as const;
export type Unit = keyof typeof SIZES;

const DECIMALS_MAX = 2;

/**
 * Converts a typed number, with the fewest decimals (at most 2) that convert back to it. So 70 kg are 154 pounds, and
 * 155 pounds are 70.3 kg. Other text stays as it is.
 */
export function convert(typed: string, from: Unit, to: Unit): string {
  const value = parseNumber(typed);
  if (value === null || from === to) return typed;
  const factor = SIZES[from] / SIZES[to];
  const decimals = String(value).split(".")[1]?.length ?? 0;
  const isSame = (converted: number) => round(converted / factor, decimals) === value;
  for (let places = 0; places < DECIMALS_MAX; places++) {
    const converted = round(value * factor, places);
    if (isSame(converted)) return String(converted);
  }
  return String(round(value * factor, DECIMALS_MAX));
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Converts typed feet and inches to whole centimetres, as text. Other text stays. */
export function cmOfFeet(feet: string, inches: string): string {
  const typed = `${feet} ${inches}`.trim();
  const [whole, rest] = [parseNumber(feet || "0"), parseNumber(inches || "0")];
  if (typed === "" || whole === null || rest === null) return typed;
  return convert(String(12 * whole + rest), "inch", "cm");
}

/** Converts typed centimetres to feet and the nearest inch, as texts. Other text stays. */
export function feetOfCm(cm: string): [feet: string, inches: string] {
  const value = parseNumber(cm);
  if (value === null) return [cm, ""];
  const total = Math.round(value / SIZES.inch);
  return [String(Math.floor(total / 12)), String(total % 12)];
}
