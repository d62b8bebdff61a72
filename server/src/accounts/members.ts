import { USER_ID } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import { deleteMedia, storeIcon } from "../media/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { validationError } from "../platform/errors.ts";
import { createProfile, type ProfileForm } from "../profiles/index.ts";
import { emailContext, emailDigest } from "./emails/email.ts";
import { shareLockMember } from "./locks.ts";
import * as rows from "./members.sql.ts";
import { hashPassword } from "./passwords/passwords.ts";

export interface NewMember {
  readonly userId: string;
  /** Null if the member only logs in with Google. */
  readonly password: string | null;
  readonly email: string | null;
  readonly socialDigest?: Buffer | null;
  readonly language: Language;
  readonly invitedBy?: number | null;
  readonly sensitiveAgreedAt?: Date | null;
  readonly profile: ProfileForm;
  readonly icon?: File | null;
  readonly iconProcess: boolean;
  readonly network?: string;
}

/** User ids are case-insensitive. */
export function foldUserId(userId: string): string {
  return userId.toLowerCase();
}

/**
 * Creates a member and their profile in one transaction. Throws a field error for a taken user id, address or social
 * account.
 *
 * `spendProof` runs first in the transaction and uses up the code.
 */
export async function createMember(
  ctx: AppContext,
  member: NewMember,
  spendProof: (tx: Tx) => Promise<void> = async () => {},
): Promise<{ memberId: number; userId: string }> {
  const memberId = await rows.nextMemberId(ctx.db);
  const icon = member.icon
    ? await storeIcon(ctx, memberId, member.icon, { process: member.iconProcess })
    : null;
  try {
    const { password, network } = member;
    const origin = { account: foldUserId(member.userId), isKnown: true, ...(network && { network }) };
    const passwordHash = password === null ? null : await hashPassword(ctx.secrets, password, origin);
    await ctx.db.transaction().execute(async (tx) => {
      await spendProof(tx);
      await writeAccount(tx, ctx, memberId, member, passwordHash);
      await createProfile(tx, ctx, memberId, member.profile, icon?.mediaId ?? null, member.iconProcess);
      const { userId, email } = member;
      await ctx.domainEvents.emit(tx, "member_joined", { memberId, userId, email });
    });
  } catch (error) {
    if (icon) await deleteMedia(ctx, memberId, icon.mediaId);
    throw error;
  }
  return { memberId, userId: member.userId };
}

async function writeAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  member: NewMember,
  passwordHash: string | null,
): Promise<void> {
  const { socialDigest = null } = member;
  if (socialDigest && !(await rows.claimSocialAccount(tx, socialDigest, memberId))) {
    throw validationError({ email: "account_exists" });
  }
  const login = {
    folded_user_id: foldUserId(member.userId),
    member_no: memberId,
    password_hash: passwordHash,
  };
  if (!(await rows.claimUserId(tx, login))) throw validationError({ user_id: "user_id_taken" });
  if (
    member.email !== null &&
    !(await rows.claimEmail(tx, emailDigest(ctx.encryption, member.email), memberId))
  ) {
    throw validationError({ email: "account_exists" });
  }
  const inviter = member.invitedBy ?? null;
  // An inviter who is being deleted is dropped.
  const inviterExists = inviter !== null && (await shareLockMember(tx, inviter));
  await rows.insertMember(tx, {
    member_no: memberId,
    user_id: member.userId,
    language: member.language,
    invited_by: inviterExists ? inviter : null,
    encrypted_email:
      member.email === null ? null : ctx.encryption.encrypt(member.email, emailContext(memberId)),
    social_digest: socialDigest,
    sensitive_agreed_at: member.sensitiveAgreedAt ?? null,
    created_at: ctx.clock.now(),
  });
}

/** Finds an active member by user id. Returns null for suspended and non-existent members and for invalid ids. */
export async function findMember(
  ctx: AppContext,
  userId: string,
): Promise<{ memberId: number; userId: string } | null> {
  const member = await findAnyMember(ctx, userId);
  return member?.accountStatus === "active" ? { memberId: member.memberId, userId: member.userId } : null;
}

/** Also finds suspended members. */
export async function findMemberId(ctx: AppContext, userId: string): Promise<number | null> {
  // Other strings never exist in the table, and PostgreSQL rejects some of them.
  if (!USER_ID.pattern.test(userId) || userId.length > USER_ID.max) return null;
  return (await rows.findMemberIdByUserId(ctx.db, foldUserId(userId))) ?? null;
}

/** Also finds suspended members; for the operator. */
export async function findAnyMember(ctx: AppContext, userId: string) {
  const memberId = await findMemberId(ctx, userId);
  const member = memberId !== null && (await rows.findMemberById(ctx.db, memberId));
  if (!member) return null;
  return {
    memberId: member.member_no,
    userId: member.user_id,
    accountStatus: member.account_status,
    createdAt: member.created_at,
  };
}

/** Also finds suspended members. Always one lookup by key. */
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
  const { user_id: userId, encrypted_email } = member;
  return {
    userId,
    email: encrypted_email && ctx.encryption.decrypt(encrypted_email, emailContext(memberId)),
  };
}
