/** Something that may be a face, seen by one of two detectors in the picture turned by so many quarters. */
export interface FaceCandidate {
  readonly by: "thorough" | "quick";
  readonly quarters: number;
  /** From 0 to 1. */
  readonly score: number;
  /** In shares of the picture's side. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** From this score of the thorough detector it is a face: a picture in which none reaches it is not understood. */
export const CERTAIN_SCORE = 0.7;

/** Looks for faces in pictures. */
export interface FaceDetector {
  /**
   * What may be a face in a square picture of plain RGB, from all sides once there is a sure one upright; `unavailable` where faces cannot be looked for at all, `failed`
   * where it went wrong this time.
   */
  find(rgb: Uint8Array, side: number): Promise<readonly FaceCandidate[] | "unavailable" | "failed">;
  close(): void;
}

/** For where no faces are to be looked for. */
export const noFaceDetector: FaceDetector = {
  find: () => Promise.resolve("unavailable"),
  close: () => undefined,
};
