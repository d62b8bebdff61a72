import type { GoogleProof } from "./use-google-sign-up.ts";

/** Proves that the email address belongs to the new member: its code, or Google's token. */
export type EmailProof = { email: string; code: string } | GoogleProof;

export function proofFields(proof: EmailProof) {
  return "accessToken" in proof
    ? ({ provider: "google", accessToken: proof.accessToken } as const)
    : { email: proof.email, code: proof.code };
}
