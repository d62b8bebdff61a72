import type { Language } from "@alcove/i18n";
import { deleteMedia, storeClearIcon, storeIcon } from "../../media/index.ts";
import { DAY_MS, floorTo, utcDay } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import { nextNumber } from "../../platform/db/sequences.sql.ts";
import type { AppContext } from "../../platform/context.ts";
import { validationError } from "../../platform/errors.ts";
import {
  type Album,
  albumOf,
  createProfile,
  emptyAlbum,
  filesOf,
  type ProfileForm,
} from "../../profiles/index.ts";
import { emailContext, emailDigest } from "../../members/email-addresses.ts";
import { isFormerUserId, joinMailbox } from "../../members/former-accounts.ts";
import { shareLockMember } from "../../members/locks.ts";
import * as rows from "../../members/members.sql.ts";
import type { DayCounters } from "../../members/tables.ts";
import { type Agreed, agreeNow, firstConsents } from "../consent/consents.ts";
import { hashPassword } from "../passwords/passwords.ts";
import { encryptUserId, foldUserId, userIdDigest } from "../../members/user-ids.ts";

export interface NewMember {
  readonly userId: string;
  readonly password: string | null;
  readonly email: string | null;
  readonly socialDigest?: Buffer | null;
  readonly language: Language;
  readonly invitedBy?: number | null;
  /** Default: now. */
  readonly agreed?: Agreed | null;
  readonly profile: ProfileForm;
  readonly icon?: File | null;
  readonly iconProcess: boolean;
  readonly keepsClearIcon?: boolean;
  readonly network?: string;
}

/**
 * Throws a field error for a taken user id, address or social account.
 *
 * `spendProof` runs first in the transaction.
 */
export async function createMember(
  ctx: AppContext,
  member: NewMember,
  spendProof: (tx: Tx) => Promise<void> = async () => {},
): Promise<{ memberId: number; userId: string }> {
  const memberId = await nextNumber(ctx.db, "member_numbers");
  ctx.encryption.keys.create(memberId);
  let album = emptyAlbum(member.iconProcess);
  try {
    if (member.icon) album = await storePictures(ctx, memberId, member, member.icon);
    const { password, network } = member;
    const origin = { account: foldUserId(member.userId), isKnown: true, ...(network && { network }) };
    const passwordHash = password === null ? null : await hashPassword(ctx.secrets, password, origin);
    await ctx.db.transaction().execute(async (tx) => {
      await spendProof(tx);
      await ctx.encryption.keys.store(tx, memberId);
      const former = await writeAccount(tx, ctx, memberId, member, passwordHash);
      await createProfile(tx, ctx, memberId, member.profile, album);
      const { userId, email } = member;
      const joined = { memberId, userId, email, network: network ?? null, former };
      await ctx.domainEvents.emit(tx, "member_joined", joined);
    });
  } catch (error) {
    ctx.encryption.keys.forget(memberId);
    for (const file of filesOf(album)) await deleteMedia(ctx, memberId, file);
    throw error;
  }
  return { memberId, userId: member.userId };
}

async function storePictures(
  ctx: AppContext,
  memberId: number,
  { iconProcess, keepsClearIcon = false }: NewMember,
  icon: File,
): Promise<Album> {
  const { mediaId } = await storeIcon(ctx, memberId, icon, { process: iconProcess });
  const clear = iconProcess && keepsClearIcon ? await storeClearIcon(ctx, memberId, icon) : null;
  const picture = { media: mediaId, process: iconProcess, clear: clear?.mediaId ?? null };
  return albumOf([picture], emptyAlbum(iconProcess));
}

async function writeAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  member: NewMember,
  passwordHash: string | null,
): Promise<DayCounters[]> {
  const { socialDigest = null } = member;
  if (socialDigest && !(await rows.claimSocialAccount(tx, socialDigest, memberId))) {
    throw validationError({ email: "account_exists" });
  }
  const login = { user_id_digest: userIdDigest(ctx.encryption, member.userId), member_no: memberId };
  if (!(await rows.claimUserId(tx, login)) || (await isFormerUserId(tx, ctx, member.userId)))
    throw validationError({ user_id: "user_id_taken" });
  const former = member.email === null ? [] : await claimAddress(tx, ctx, memberId, member.email);
  const inviter = member.invitedBy ?? null;
  const inviterExists = inviter !== null && (await shareLockMember(tx, inviter));
  await rows.insertMember(tx, {
    member_no: memberId,
    encrypted_user_id: await encryptUserId(ctx.encryption, memberId, member.userId),
    password_hash: passwordHash,
    language: member.language,
    invited_by: inviterExists ? inviter : null,
    encrypted_email:
      member.email === null
        ? null
        : await ctx.encryption.encrypt(memberId, member.email, emailContext(memberId)),
    social_digest: socialDigest,
    ...(await firstConsents(ctx, memberId, member.agreed ?? agreeNow(ctx))),
    visited_on: utcDay(ctx.clock.now()),
    created_at: floorTo(ctx.clock.now(), DAY_MS),
  });
  return former;
}

async function claimAddress(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  email: string,
): Promise<DayCounters[]> {
  const isFree = await rows.claimEmail(tx, emailDigest(ctx.encryption, email), memberId);
  const former = isFree ? await joinMailbox(tx, ctx, email, memberId) : null;
  if (!former) throw validationError({ email: "account_exists" });
  return former;
}
