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

export async function decryptTime(encryption: Encryption, encrypted: Buffer, context: string): Promise<Date> {
  return new Date(await encryption.decrypt(encrypted, context));
}
