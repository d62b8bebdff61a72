import type { Sealing } from "../platform/sealing.ts";

/** Under which an address is found again, without regard to case and without being stored. */
export function emailDigest(sealing: Sealing, email: string): Buffer {
  return sealing.blindIndex(email.trim().normalize("NFC").toLowerCase().normalize("NFC"), "email");
}

/** The context under which a member's address is sealed. */
export function emailContext(no: number): string {
  return `members.sealed_email:${no}`;
}
