export interface FaceCandidate {
  readonly by: "thorough" | "quick";
  readonly quarters: number;
  readonly score: number;
  /** As shares of the picture's side. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** From this score of the thorough detector, a candidate is certainly a face. */
export const CERTAIN_SCORE = 0.7;

export interface FaceDetector {
  /** The picture is square RGB. Without the optional packages the result is `unavailable`. */
  detect(rgb: Uint8Array, side: number): Promise<readonly FaceCandidate[] | "unavailable" | "failed">;
  close(): void;
}

export const noFaceDetector: FaceDetector = {
  detect: () => Promise.resolve("unavailable"),
  close: () => undefined,
};
