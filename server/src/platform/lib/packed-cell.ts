import { cellToLatLng } from "h3-js";

export const POSITION = 7;

/**
 * 7 bits of base cell and 3 bits per digit: a parent is a shift.
 *
 * An H3 index is the hex digit 8, the resolution, base cell and 15 digits. Resolution 7 needs seven hex digits.
 */
export function pack(h3: string, resolution: number): number {
  return parseInt(h3.slice(2, 9), 16) >> (3 * (POSITION - resolution));
}

export function unpack(cell: number, resolution: number): string {
  const shift = 3 * (POSITION - resolution);
  const digits = (cell << shift) | ((1 << shift) - 1);
  return `8${resolution}${digits.toString(16).padStart(7, "0")}ffffff`;
}

export function centreOf(cell: number): { longitude: number; latitude: number } {
  const [latitude, longitude] = cellToLatLng(unpack(cell, POSITION));
  return { longitude, latitude };
}
