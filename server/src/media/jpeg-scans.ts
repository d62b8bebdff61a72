/** More than cameras and programs write, and far fewer than keep a core busy for minutes. */
export const MOST_SCANS = 100;

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * How often a JPEG goes over its picture. A progressive one may do so thousands of times in a few hundred kilobytes,
 * each time at the price of the whole, and the library's time limit does not hold there.
 */
export function scansOf(bytes: Buffer): number {
  let scans = 0;
  let at = bytes.indexOf(0xff, 2);
  while (at !== -1 && at + 4 <= bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === END_OF_IMAGE) break;
    if (marker === START_OF_SCAN) scans++;
    const next = marker === 0xff ? at + 1 : at + 2 + (hasLength(marker) ? bytes.readUInt16BE(at + 2) : 0);
    at = bytes.indexOf(0xff, next);
  }
  return scans;
}

/** Stuffed bytes and restarts stand within a scan and have no length; everything else says its own. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && !(marker >= 0xd0 && marker <= 0xd8);
}
