import { USER_ID } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import { forgetMedia, keepIcon } from "../media/index.ts";
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
  /** Null for whoever never logs in with one. */
  readonly password: string | null;
  readonly email: string | null;
  /** The digest of the account of another service that the member is made with. */
  readonly socialDigest?: Buffer | null;
  readonly language: Language;
  readonly invitedBy?: number | null;
  readonly sensitiveAgreedAt?: Date | null;
  readonly profile: ProfileForm;
  readonly icon?: File | null;
  readonly iconProcess: boolean;
}

/** User ids are told apart without regard to case. */
export function foldUserId(userId: string): string {
  return userId.toLowerCase();
}

/**
 * Makes a member, with everything of it or nothing; refuses a taken user id, address or social account under its field.
 *
 * `within` runs first in the same transaction: what must be spent exactly once for this member.
 */
export async function createMember(
  ctx: AppContext,
  wish: NewMember,
  within: (tx: Tx) => Promise<void> = async () => {},
): Promise<{ memberId: number; userId: string }> {
  const memberId = await rows.nextMemberId(ctx.db);
  const icon = wish.icon ? await keepIcon(ctx, memberId, wish.icon, { process: wish.iconProcess }) : null;
  try {
    const passwordHash = wish.password === null ? null : await hashPassword(ctx.secrets, wish.password);
    await ctx.db.transaction().execute(async (tx) => {
      await within(tx);
      await writeAccount(tx, ctx, memberId, wish, passwordHash);
      await createProfile(tx, ctx, memberId, wish.profile, icon?.mediaId ?? null, wish.iconProcess);
      const { userId, email } = wish;
      await ctx.domainEvents.follow(tx, "member_joined", { memberId, userId, email });
    });
  } catch (error) {
    if (icon) await forgetMedia(ctx, memberId, icon.mediaId);
    throw error;
  }
  return { memberId, userId: wish.userId };
}

async function writeAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  wish: NewMember,
  passwordHash: string | null,
): Promise<void> {
  const { socialDigest = null } = wish;
  if (socialDigest && !(await rows.takeSocial(tx, socialDigest, memberId))) {
    throw validationError({ email: "account_exists" });
  }
  const login = { folded_user_id: foldUserId(wish.userId), member_no: memberId, password_hash: passwordHash };
  if (!(await rows.takeUserId(tx, login))) throw validationError({ user_id: "user_id_taken" });
  if (wish.email !== null && !(await rows.takeEmail(tx, emailDigest(ctx.encryption, wish.email), memberId))) {
    throw validationError({ email: "account_exists" });
  }
  const inviter = wish.invitedBy ?? null;
  // One who is being deleted has invited nobody.
  const isThere = inviter !== null && (await shareLockMember(tx, inviter));
  await rows.insertMember(tx, {
    member_no: memberId,
    user_id: wish.userId,
    language: wish.language,
    invited_by: isThere ? inviter : null,
    encrypted_email: wish.email === null ? null : ctx.encryption.encrypt(wish.email, emailContext(memberId)),
    social_digest: socialDigest,
    sensitive_agreed_at: wish.sensitiveAgreedAt ?? null,
    created_at: ctx.clock.now(),
  });
}

/**
 * Finds an active member by user id, in whatever case it is written. Null for the suspended, the deleted and nobody
 * alike; any string may be asked for.
 */
export async function findMember(
  ctx: AppContext,
  userId: string,
): Promise<{ memberId: number; userId: string } | null> {
  const member = await findAnyMember(ctx, userId);
  return member?.standing === "active" ? { memberId: member.memberId, userId: member.userId } : null;
}

/** The number of a user id, whatever the standing of its member, who may be gone by now. */
export async function findMemberId(ctx: AppContext, userId: string): Promise<number | null> {
  // Nothing else can be in the table, and the database does not take every string.
  if (!USER_ID.pattern.test(userId) || userId.length > USER_ID.max) return null;
  return (await rows.findNoByUserId(ctx.db, foldUserId(userId))) ?? null;
}

/** Like `findMember`, the suspended included: for the operator. */
export async function findAnyMember(ctx: AppContext, userId: string) {
  const memberId = await findMemberId(ctx, userId);
  const member = memberId !== null && (await rows.findMemberById(ctx.db, memberId));
  if (!member) return null;
  return {
    memberId: member.member_no,
    userId: member.user_id,
    standing: member.standing,
    createdAt: member.created_at,
  };
}

/** The member with an address, the suspended included; null when there is none. Always one look-up by key. */
export async function findMemberByEmail(
  ctx: AppContext,
  email: string,
): Promise<{ memberId: number } | null> {
  const memberId = await rows.findNoByEmail(ctx.db, emailDigest(ctx.encryption, email));
  return memberId === undefined ? null : { memberId };
}

/** By what a member can be known outside of this service; null when it is gone. */
export async function findNames(
  ctx: AppContext,
  memberId: number,
): Promise<{ userId: string; email: string | null } | null> {
  const member = await rows.findSealedNames(ctx.db, memberId);
  if (!member) return null;
  const { user_id: userId, encrypted_email } = member;
  return {
    userId,
    email: encrypted_email && ctx.encryption.decrypt(encrypted_email, emailContext(memberId)),
  };
}
