import { USER_ID } from "@alcove/contract/limits";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { emailContext, emailDigest } from "./email-addresses.ts";
import * as rows from "./members.sql.ts";
import { findMemberIdByDigest } from "./user-ids.sql.ts";
import { decryptUserId, userIdDigest } from "./user-ids.ts";

/** Stands for unknown user ids, so that the response takes as long. */
export const NO_MEMBER = 0;

/** Returns null for suspended and non-existent members and invalid ids. */
export async function findMember(ctx: AppContext, userId: string): Promise<MemberRef | null> {
  const member = await findRow(ctx, userId);
  return member?.account_status === "active" ? { memberId: member.member_no } : null;
}

export async function findMemberId(
  ctx: Pick<AppContext, "db" | "encryption">,
  userId: string,
): Promise<number | null> {
  // Other strings never exist in the table.
  if (!USER_ID.pattern.test(userId) || userId.length > USER_ID.max) return null;
  const digest = userIdDigest(ctx.encryption, userId).toString("hex");
  return (await findMemberIdByDigest(ctx.db, digest)) ?? null;
}

export async function findAnyMember(ctx: AppContext, userId: string) {
  const member = await findRow(ctx, userId);
  if (!member) return null;
  const { member_no: memberId, encrypted_user_id, account_status, created_at } = member;
  return {
    memberId,
    userId: await decryptUserId(ctx.encryption, memberId, encrypted_user_id),
    accountStatus: account_status,
    createdAt: created_at,
  };
}

async function findRow(ctx: AppContext, userId: string) {
  return rows.findMemberById(ctx.db, (await findMemberId(ctx, userId)) ?? NO_MEMBER);
}

/** Includes suspended members. Always one lookup by key. */
export async function findMemberByEmail(
  ctx: AppContext,
  email: string,
): Promise<{ memberId: number } | null> {
  const memberId = await rows.findMemberIdByEmail(ctx.db, emailDigest(ctx.encryption, email));
  return memberId === undefined ? null : { memberId };
}

export async function findIdentifiers(
  ctx: AppContext,
  memberId: number,
): Promise<{ userId: string; email: string | null } | null> {
  const member = await rows.findIdentifiers(ctx.db, memberId);
  if (!member) return null;
  const { encrypted_user_id, encrypted_email } = member;
  return {
    userId: await decryptUserId(ctx.encryption, memberId, encrypted_user_id),
    email: encrypted_email && (await ctx.encryption.decrypt(encrypted_email, emailContext(memberId))),
  };
}
