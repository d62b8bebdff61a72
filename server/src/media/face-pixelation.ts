import { CERTAIN_SCORE, type FaceCandidate } from "../integrations/face-detection/face-detection.ts";

/** A score from which a face counts; below, a picture may hold what nobody could tell from one. */
const COUNTED = 0.3;
const LIKELY = 0.5;
/** A likely face smaller than this share of the side tells of others too small to be found. */
const SMALLEST = 0.05;
/** Hair, ears and chin, in shares of the face's longer side; behind that the edge becomes soft. */
const MARGIN = 0.5;
const SOFT_EDGE = 0.2;
/** Where so much is softened, what is left is not worth a risk. */
const MOST_COVERED = 0.6;

/** How much of each pixel is to be softened, from 0 to 1, and how many faces that covers. */
export interface Cover {
  readonly faces: number;
  readonly shares: Float32Array;
}

/**
 * What to soften of a picture: every possible face with hair and chin. Null where only the whole picture will do: no
 * face, none that is sure, faces too small to trust the rest, or faces nearly everywhere.
 */
export function coverFaces(sightings: readonly FaceCandidate[], side: number): Cover | null {
  const counted = sightings.filter(({ score }) => score >= COUNTED);
  const isSure = counted.some(({ by, score }) => by === "thorough" && score >= CERTAIN_SCORE);
  const isTiny = ({ score, width, height }: FaceCandidate) =>
    score >= LIKELY && Math.max(width, height) < SMALLEST;
  if (!isSure || counted.some(isTiny)) return null;

  const shares = new Float32Array(side * side);
  for (const face of counted) coverFace(shares, side, face);
  const covered = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return covered > MOST_COVERED ? null : { faces: countApart(counted), shares };
}

/** An oval around the face, whole inside and fading outside of it only: no part of the face lies in the soft edge. */
function coverFace(shares: Float32Array, side: number, { x, y, width, height }: FaceCandidate): void {
  const longer = Math.max(width, height);
  const [middleX, middleY] = [(x + width / 2) * side, (y + height / 2) * side];
  const radiusX = (width / 2 + MARGIN * longer) * side;
  const radiusY = (height / 2 + MARGIN * longer) * side;
  const reach = 1 + SOFT_EDGE;
  const within = (value: number) => Math.max(0, Math.min(side, Math.round(value)));
  for (let row = within(middleY - radiusY * reach); row < within(middleY + radiusY * reach); row++) {
    for (
      let column = within(middleX - radiusX * reach);
      column < within(middleX + radiusX * reach);
      column++
    ) {
      const distance = Math.hypot((column - middleX) / radiusX, (row - middleY) / radiusY);
      const share = Math.max(0, Math.min(1, (reach - distance) / SOFT_EDGE));
      const at = row * side + column;
      if (share > shares[at]!) shares[at] = share;
    }
  }
}

/** How many faces these are: the same one is seen by both detectors and from several sides. */
function countApart(sightings: readonly FaceCandidate[]): number {
  const apart: FaceCandidate[] = [];
  for (const face of sightings.toSorted((a, b) => b.score - a.score)) {
    if (face.score >= LIKELY && !apart.some((other) => isSame(face, other))) apart.push(face);
  }
  return apart.length;
}

function isSame(one: FaceCandidate, other: FaceCandidate): boolean {
  const distance = Math.hypot(
    one.x + one.width / 2 - other.x - other.width / 2,
    one.y + one.height / 2 - other.y - other.height / 2,
  );
  return distance < Math.max(one.width, one.height, other.width, other.height) * 0.7;
}

/** Mixes two pictures of plain RGB: `soft` as far as it covers, `clear` elsewhere. */
export function mix(clear: Uint8Array, soft: Uint8Array, { shares }: Cover): Uint8Array {
  return clear.map((value, i) => {
    const share = shares[Math.floor(i / 3)]!;
    return Math.round(value + (soft[i]! - value) * share);
  });
}
