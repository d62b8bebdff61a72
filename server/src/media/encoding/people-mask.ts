import { CERTAIN_SCORE, type FaceCandidate } from "../../integrations/face-detection/face-detection.ts";

const LIKELY_SCORE = 0.5;
/** In shares of the face's longer side. */
const MARGIN = 0.2;
const SOFT_EDGE = 0.9;
const SHOULDERS = 2.7;
const SHOULDER_SLOPE = 1.1;

export type FaceBox = Pick<FaceCandidate, "x" | "y" | "width" | "height">;

export interface PeopleMask {
  readonly faces: number;
  /** The longest certain one. */
  readonly face: FaceBox;
  readonly alpha: Float32Array;
  /** Of the longest face, as a share of the picture's side. */
  readonly longest: number;
}

/** Returns null without a certain face: then all of the picture counts as background. */
export function maskPeople(sightings: readonly FaceCandidate[], side: number): PeopleMask | null {
  const certain = sightings.filter(({ by, score }) => by === "thorough" && score >= CERTAIN_SCORE);
  const [longestCertain] = certain.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  if (!longestCertain) return null;

  const faces = distinctFaces(sightings);
  const alpha = new Float32Array(side * side);
  for (const face of faces) maskPerson(alpha, side, face);
  const longest = Math.max(...faces.map(lengthOf));
  const { x, y, width, height } = longestCertain;
  return { faces: faces.length, face: { x, y, width, height }, alpha, longest };
}

const lengthOf = ({ width, height }: FaceBox): number => Math.max(width, height);

function maskPerson(alpha: Float32Array, side: number, { x, y, width, height }: FaceCandidate): void {
  const longer = Math.max(width, height);
  const [middleX, middleY, chin] = [x + width / 2, y + height / 2, y + height];
  const [radiusX, radiusY] = [width / 2 + MARGIN * longer, height / 2 + MARGIN * longer];
  const fade = (distance: number) => Math.max(0, Math.min(1, (1 + SOFT_EDGE - distance) / SOFT_EDGE));
  const within = (share: number) => Math.max(0, Math.min(side, Math.round(share * side)));
  const reach = Math.max(radiusX, (SHOULDERS / 2) * longer) * (1 + SOFT_EDGE);
  for (let row = within(middleY - radiusY * (1 + SOFT_EDGE)); row < side; row++) {
    const down = (row / side - chin) / longer;
    const halfBody = (SHOULDERS / 2) * Math.min(1, 0.5 + down * SHOULDER_SLOPE) * longer;
    const fromMiddle = ((row / side - middleY) / radiusY) ** 2;
    for (let column = within(middleX - reach); column < within(middleX + reach); column++) {
      const across = Math.abs(column / side - middleX);
      const head = fade(Math.sqrt((across / radiusX) ** 2 + fromMiddle));
      const body = down > 0 ? fade(across / halfBody) : 0;
      const index = row * side + column;
      alpha[index] = Math.max(alpha[index]!, head, body);
    }
  }
}

function distinctFaces(sightings: readonly FaceCandidate[]): FaceCandidate[] {
  const distinct: FaceCandidate[] = [];
  for (const face of sightings.toSorted((a, b) => b.score - a.score)) {
    if (face.score >= LIKELY_SCORE && !distinct.some((other) => isSame(face, other))) distinct.push(face);
  }
  return distinct;
}

function isSame(one: FaceCandidate, other: FaceCandidate): boolean {
  const distance = Math.hypot(
    one.x + one.width / 2 - other.x - other.width / 2,
    one.y + one.height / 2 - other.y - other.height / 2,
  );
  return distance < Math.max(one.width, one.height, other.width, other.height) * 0.7;
}
