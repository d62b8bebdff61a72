export const MAX_SCANS = 100;

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * A small progressive file can hold thousands of scans, each as expensive as a full image. The library's time limit
 * ignores them.
 */
export function countScans(bytes: Buffer): number {
  let scans = 0;
  let position = bytes.indexOf(0xff, 2);
  while (position !== -1 && position + 4 <= bytes.length) {
    const marker = bytes.readUInt8(position + 1);
    if (marker === END_OF_IMAGE) break;
    if (marker === START_OF_SCAN) scans++;
    const next =
      marker === 0xff
        ? position + 1
        : position + 2 + (hasLength(marker) ? bytes.readUInt16BE(position + 2) : 0);
    position = bytes.indexOf(0xff, next);
  }
  return scans;
}

/** Stuffed bytes and restart markers have no length field. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && !(marker >= 0xd0 && marker <= 0xd8);
}
