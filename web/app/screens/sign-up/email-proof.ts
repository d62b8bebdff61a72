import type { GoogleProof } from "./use-google-sign-up.ts";

/** What shows that the newcomer's address is theirs: the code of its letter, or Google's word. */
export type EmailProof = { email: string; code: string } | GoogleProof;

/** A proof as calls take it. */
export function proofFields(proof: EmailProof) {
  return "accessToken" in proof
    ? ({ provider: "google", accessToken: proof.accessToken } as const)
    : { email: proof.email, code: proof.code };
}
