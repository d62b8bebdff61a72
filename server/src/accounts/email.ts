import type { Sealing } from "../platform/sealing.ts";

/** One form of an address, however it is written: addresses are told apart without regard to case. */
export function foldEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase().normalize("NFC");
}

/** Under which an address is found again without being stored. */
export function emailDigest(sealing: Sealing, email: string): Buffer {
  return sealing.blindIndex(foldEmail(email), "email");
}

/** The context under which a member's address is sealed. */
export function emailContext(no: number): string {
  return `members.sealed_email:${no}`;
}
