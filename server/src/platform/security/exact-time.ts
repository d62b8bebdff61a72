import type { Term } from "@alcove/contract/calendar";
import { type Encryption, HANDLE_STEP } from "../keys/encryption.ts";

/** Members see this time to the second. Columns beside it hold the day or hour. */
export async function encryptTime(
  encryption: Encryption,
  memberId: number,
  at: Date,
  context: string,
): Promise<Buffer> {
  return encryption.encrypt(memberId, at.toISOString(), context, HANDLE_STEP);
}

const TERM_STEP = 96;

export async function encryptTerm(
  encryption: Encryption,
  memberId: number,
  { start, months, timeZone }: Term,
  context: string,
): Promise<Buffer> {
  return encryption.encrypt(memberId, JSON.stringify({ start, months, timeZone }), context, TERM_STEP);
}

export async function decryptTerm(encryption: Encryption, encrypted: Buffer, context: string): Promise<Term> {
  const { start, ...term } = JSON.parse(await encryption.decrypt(encrypted, context)) as Omit<
    Term,
    "start"
  > & {
    start: string;
  };
  return { ...term, start: new Date(start) };
}

export async function decryptTime(encryption: Encryption, encrypted: Buffer, context: string): Promise<Date> {
  return new Date(await encryption.decrypt(encrypted, context));
}
