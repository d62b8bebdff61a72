import { USER_ID } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import { forgetMedia, keepIcon } from "../media/index.ts";
import type { Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { refuseFields } from "../platform/refuse.ts";
import { createProfile, type ProfileForm } from "../profiles/index.ts";
import { emailContext, emailDigest } from "./email.ts";
import * as rows from "./members.sql.ts";
import { hashPassword } from "./passwords.ts";

declare module "../platform/consequences.ts" {
  interface Consequences {
    /** A member is being made: all of it is there, and nobody else knows of it before the transaction ends. */
    member_joined: { no: number; userId: string; email: string | null };
  }
}

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
  deps: Deps,
  wish: NewMember,
  within: (tx: Tx) => Promise<void> = async () => {},
): Promise<{ no: number; userId: string }> {
  const no = await rows.nextMemberNo(deps.db);
  const icon = wish.icon ? await keepIcon(deps, no, wish.icon, { process: wish.iconProcess }) : null;
  try {
    const passwordHash = wish.password === null ? null : await hashPassword(deps.secrets, wish.password);
    await deps.db.transaction().execute(async (tx) => {
      await within(tx);
      await writeAccount(tx, deps, no, wish, passwordHash);
      await createProfile(tx, deps, no, wish.profile, icon?.mediaId ?? null, wish.iconProcess);
      const { userId, email } = wish;
      await deps.consequences.follow(tx, "member_joined", { no, userId, email });
    });
  } catch (error) {
    if (icon) await forgetMedia(deps, no, icon.mediaId);
    throw error;
  }
  return { no, userId: wish.userId };
}

async function writeAccount(
  tx: Tx,
  deps: Deps,
  no: number,
  wish: NewMember,
  passwordHash: string | null,
): Promise<void> {
  const { socialDigest = null } = wish;
  if (socialDigest && !(await rows.takeSocial(tx, socialDigest, no))) {
    throw refuseFields({ email: "account_exists" });
  }
  const login = { folded_user_id: foldUserId(wish.userId), member_no: no, password_hash: passwordHash };
  if (!(await rows.takeUserId(tx, login))) throw refuseFields({ user_id: "user_id_taken" });
  if (wish.email !== null && !(await rows.takeEmail(tx, emailDigest(deps.sealing, wish.email), no))) {
    throw refuseFields({ email: "account_exists" });
  }
  const inviter = wish.invitedBy ?? null;
  // One who is being deleted has invited nobody.
  const isThere = inviter !== null && (await rows.holdMember(tx, inviter));
  await rows.insertMember(tx, {
    member_no: no,
    user_id: wish.userId,
    language: wish.language,
    invited_by: isThere ? inviter : null,
    sealed_email: wish.email === null ? null : deps.sealing.seal(wish.email, emailContext(no)),
    social_digest: socialDigest,
    sensitive_agreed_at: wish.sensitiveAgreedAt ?? null,
    created_at: deps.clock.now(),
  });
}

/**
 * Finds an active member by user id, in whatever case it is written. Null for the suspended, the deleted and nobody
 * alike; any string may be asked for.
 */
export async function findMember(deps: Deps, userId: string): Promise<{ no: number; userId: string } | null> {
  const member = await findAnyMember(deps, userId);
  return member?.standing === "active" ? { no: member.no, userId: member.userId } : null;
}

/** The number of a user id, whatever the standing of its member, who may be gone by now. */
export async function findMemberNo(deps: Deps, userId: string): Promise<number | null> {
  // Nothing else can be in the table, and the database does not take every string.
  if (!USER_ID.pattern.test(userId) || userId.length > USER_ID.max) return null;
  return (await rows.findNoByUserId(deps.db, foldUserId(userId))) ?? null;
}

/** Like `findMember`, the suspended included: for the operator. */
export async function findAnyMember(deps: Deps, userId: string) {
  const no = await findMemberNo(deps, userId);
  const member = no !== null && (await rows.findMemberByNo(deps.db, no));
  if (!member) return null;
  return {
    no: member.member_no,
    userId: member.user_id,
    standing: member.standing,
    createdAt: member.created_at,
  };
}

/** The member with an address, the suspended included; null when there is none. Always one look-up by key. */
export async function findMemberByEmail(deps: Deps, email: string): Promise<{ no: number } | null> {
  const no = await rows.findNoByEmail(deps.db, emailDigest(deps.sealing, email));
  return no === undefined ? null : { no };
}

/** By what a member can be known outside of this service; null when it is gone. */
export async function findNames(
  deps: Deps,
  no: number,
): Promise<{ userId: string; email: string | null } | null> {
  const member = await rows.findSealedNames(deps.db, no);
  if (!member) return null;
  const { user_id: userId, sealed_email } = member;
  return { userId, email: sealed_email && deps.sealing.open(sealed_email, emailContext(no)) };
}
