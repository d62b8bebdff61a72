import type { Sex } from "@alcove/contract/users";

/** The texts of sample members in one language. */
export interface Phrases {
  /** The displayed name, and its form in a user id. */
  readonly names: Record<Sex, readonly (readonly [shown: string, plain: string])[]>;
  readonly openings: readonly string[];
  readonly days: readonly string[];
  readonly interests: readonly { readonly hobby: string; readonly sentence: string }[];
  readonly purposes: readonly { readonly purpose: string; readonly sentence: string }[];
  readonly closings: readonly string[];
  readonly replies: {
    readonly first: readonly string[];
    readonly toQuestion: readonly string[];
    readonly toImage: readonly string[];
    readonly later: readonly string[];
  };
}
