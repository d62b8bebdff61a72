import type { Sex } from "@alcove/contract/users";

/** Texts fit both sexes and every age, and contain no number that a profile could contradict. */
export interface Voice {
  readonly openings: readonly string[];
  readonly texts: readonly { readonly text: string; readonly purpose?: string; readonly hobby?: string }[];
  readonly closings: readonly string[];
  readonly notes: readonly string[];
  readonly replies: {
    readonly first: readonly string[];
    readonly toQuestion: readonly string[];
    readonly toImage: readonly string[];
    readonly later: readonly string[];
  };
}

export interface Phrases {
  readonly names: Record<Sex, readonly (readonly [shown: string, plain: string])[]>;
  readonly voices: readonly Voice[];
  /** To each of the week's questions: a woman's and a man's. */
  readonly answers: readonly (readonly [female: string, male: string])[];
}
