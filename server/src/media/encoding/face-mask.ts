import { CERTAIN_SCORE, type FaceCandidate } from "../../integrations/face-detection/face-detection.ts";

const POSSIBLE_SCORE = 0.3;
const LIKELY_SCORE = 0.5;
/** Below this share of the side, other faces may be too small to detect. */
const MIN_FACE_SIZE = 0.05;
/** Covers hair, ears and chin, in shares of the face's longer side. */
const MARGIN = 0.4;
const SOFT_EDGE = 0.3;

export interface FaceMask {
  readonly faces: number;
  readonly alpha: Float32Array;
  /** As a share of the picture's side. */
  readonly longest: number;
}

/** Returns null if the whole picture must lose its detail: no certain face, or faces too small to trust the rest. */
export function maskFaces(sightings: readonly FaceCandidate[], side: number): FaceMask | null {
  const faces = sightings.filter(({ score }) => score >= POSSIBLE_SCORE);
  const hasCertainFace = faces.some(({ by, score }) => by === "thorough" && score >= CERTAIN_SCORE);
  const isTiny = ({ score, width, height }: FaceCandidate) =>
    score >= LIKELY_SCORE && Math.max(width, height) < MIN_FACE_SIZE;
  if (!hasCertainFace || faces.some(isTiny)) return null;

  const alpha = new Float32Array(side * side);
  for (const face of faces) maskFace(alpha, side, face);
  const longest = Math.max(...faces.map(({ width, height }) => Math.max(width, height)));
  return { faces: countFaces(faces), alpha, longest };
}

/** The soft edge lies outside the oval, so that it shows no part of the face. */
function maskFace(alpha: Float32Array, side: number, { x, y, width, height }: FaceCandidate): void {
  const longer = Math.max(width, height);
  const [middleX, middleY] = [(x + width / 2) * side, (y + height / 2) * side];
  const radiusX = (width / 2 + MARGIN * longer) * side;
  const radiusY = (height / 2 + MARGIN * longer) * side;
  const outerRadius = 1 + SOFT_EDGE;
  const within = (value: number) => Math.max(0, Math.min(side, Math.round(value)));
  for (
    let row = within(middleY - radiusY * outerRadius);
    row < within(middleY + radiusY * outerRadius);
    row++
  ) {
    for (
      let column = within(middleX - radiusX * outerRadius);
      column < within(middleX + radiusX * outerRadius);
      column++
    ) {
      const distance = Math.hypot((column - middleX) / radiusX, (row - middleY) / radiusY);
      const value = Math.max(0, Math.min(1, (outerRadius - distance) / SOFT_EDGE));
      const index = row * side + column;
      if (value > alpha[index]!) alpha[index] = value;
    }
  }
}

function countFaces(sightings: readonly FaceCandidate[]): number {
  const distinct: FaceCandidate[] = [];
  for (const face of sightings.toSorted((a, b) => b.score - a.score)) {
    if (face.score >= LIKELY_SCORE && !distinct.some((other) => isSame(face, other))) distinct.push(face);
  }
  return distinct.length;
}

function isSame(one: FaceCandidate, other: FaceCandidate): boolean {
  const distance = Math.hypot(
    one.x + one.width / 2 - other.x - other.width / 2,
    one.y + one.height / 2 - other.y - other.height / 2,
  );
  return distance < Math.max(one.width, one.height, other.width, other.height) * 0.7;
}
