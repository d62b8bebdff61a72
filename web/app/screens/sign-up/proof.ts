import type { GoogleNewcomer } from "./google-arrival.ts";

/** What shows that the newcomer's address is theirs: the code of its letter, or Google's word. */
export type Proof = { email: string; code: string } | GoogleNewcomer;

/** A proof as calls take it. */
export function proofFields(proof: Proof) {
  return "accessToken" in proof
    ? ({ provider: "google", accessToken: proof.accessToken } as const)
    : { email: proof.email, code: proof.code };
}
