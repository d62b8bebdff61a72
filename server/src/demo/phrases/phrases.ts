import type { Sex } from "@alcove/contract/users";

/** What invented members of one language are made of, and what they answer in it. */
export interface Words {
  /** The name as it is shown, and in letters that a user id may have. */
  readonly names: Record<Sex, readonly (readonly [shown: string, plain: string])[]>;
  readonly openings: readonly string[];
  readonly days: readonly string[];
  readonly interests: readonly { readonly hobby: string; readonly told: string }[];
  readonly wishes: readonly { readonly purpose: string; readonly told: string }[];
  readonly closings: readonly string[];
  readonly answers: {
    readonly first: readonly string[];
    readonly toQuestion: readonly string[];
    readonly toImage: readonly string[];
    readonly later: readonly string[];
  };
}
