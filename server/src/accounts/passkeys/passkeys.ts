import type { ParsedOf } from "@alcove/contract";
import type {
  addPasskey as addPasskeyCall,
  createRecoveryCodes as createRecoveryCodesCall,
  Passkeys,
  startPasskey as startPasskeyCall,
} from "@alcove/contract/passkeys";
import { PASSKEYS_MAX } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import { MINUTE_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import { translator } from "../../platform/i18n.ts";
import { findDeviceOf } from "../login/sessions.ts";
import { lockMember } from "../../members/locks.ts";
import * as members from "../../members/members.sql.ts";
import * as rows from "./passkeys.sql.ts";
import { type Proof, type ProofFields, requireProof, spendProof } from "./proofs.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { credentialDigest, encryptPasskey, readPasskeys, siteOf } from "./stored-passkeys.ts";
import { createOptions, type Structure, verifyCreation } from "./webauthn.ts";

const JUST_MS = 15 * MINUTE_MS;

interface Place {
  readonly ip: string;
  readonly origin: string;
}

const creationOf = ({ memberId, session }: CurrentMember): string => `new passkey ${memberId} ${session}`;

export async function listPasskeys(
  ctx: AppContext,
  { memberId }: Pick<CurrentMember, "memberId">,
  db: Db = ctx.db,
): Promise<Passkeys> {
  const [passkeys, second_factor, recovery_codes] = [
    await readPasskeys(ctx, memberId, db),
    await members.readSecondFactor(db, memberId),
    await rows.countRecoveryCodes(db, memberId),
  ];
  return {
    passkeys: passkeys.map(({ id, name, row: { created_on, used_on } }) => ({
      id,
      name,
      created_on,
      used_on,
    })),
    second_factor,
    recovery_codes,
  };
}

/**
 * The options name no member, because people share password managers. The page puts a word of the member's in.
 */
export async function startPasskey(
  ctx: AppContext,
  me: CurrentMember,
  form: ParsedOf<typeof startPasskeyCall>,
  { ip, origin, lang }: Place & { lang: Language },
): Promise<Structure> {
  const existing = await readPasskeys(ctx, me.memberId);
  if (existing.length >= PASSKEYS_MAX) throw new ApiError("passkeys_full");
  const proof = await proveIfPossible(ctx, me, form, { ip, origin });
  if (proof) await inAccount(ctx, me, (tx) => spendProof(tx, proof));
  const site = siteOf(ctx, origin);
  return createOptions(
    ctx,
    { purpose: creationOf(me), site },
    {
      id: ctx.encryption.blindIndex(String(me.memberId), "passkey user"),
      name: translator(lang, "passkeys")("presetName"),
      siteName: site.id,
      existing,
    },
  );
}

export async function addPasskey(
  ctx: AppContext,
  me: CurrentMember,
  { name, response }: ParsedOf<typeof addPasskeyCall>,
  origin: string,
): Promise<Passkeys> {
  const { memberId } = me;
  const created = await verifyCreation(ctx, { purpose: creationOf(me), site: siteOf(ctx, origin) }, response);
  if (!created) throw new ApiError("not_confirmed");
  const { signCount, ...credential } = created;
  const digest = credentialDigest(ctx, credential.id);
  await inAccount(ctx, me, async (tx) => {
    const existing = await rows.readPasskeysOf(tx, memberId);
    if (existing.length >= PASSKEYS_MAX) throw new ApiError("passkeys_full");
    const isNew = await rows.claimCredential(tx, { credential_digest: digest, member_no: memberId });
    if (!isNew) throw new ApiError("not_confirmed");
    await rows.insertPasskey(tx, {
      member_no: memberId,
      credential_digest: digest,
      encrypted_passkey: await encryptPasskey(ctx, memberId, { ...credential, name }),
      sign_count: signCount,
      passkey_no: (existing.at(-1)?.passkey_no ?? 0) + 1,
      created_on: utcDay(ctx.clock.now()),
      used_on: null,
    });
  });
  ctx.log.info({ member: memberId }, "passkey added");
  return listPasskeys(ctx, me);
}

export async function renamePasskey(
  ctx: AppContext,
  me: CurrentMember,
  { id, name }: { id: string; name: string },
): Promise<Passkeys> {
  await inAccount(ctx, me, async (tx) => {
    const passkey = (await readPasskeys(ctx, me.memberId, tx)).find((one) => one.id === id);
    if (!passkey) throw new ApiError("passkey_not_found");
    await rows.setContent(tx, passkey.row, await encryptPasskey(ctx, me.memberId, { ...passkey, name }));
  });
  return listPasskeys(ctx, me);
}

export async function removePasskey(ctx: AppContext, me: CurrentMember, id: string): Promise<Passkeys> {
  await inAccount(ctx, me, async (tx) => {
    const isRemoved = await rows.deletePasskey(tx, me.memberId, credentialDigest(ctx, id));
    if (!isRemoved) throw new ApiError("passkey_not_found");
    if (!(await rows.hasPasskey(tx, me.memberId))) await members.setSecondFactor(tx, me.memberId, false);
  });
  ctx.log.info({ member: me.memberId }, "passkey removed");
  return listPasskeys(ctx, me);
}

export async function setSecondFactor(ctx: AppContext, me: CurrentMember, isOn: boolean): Promise<Passkeys> {
  await inAccount(ctx, me, async (tx) => {
    if (isOn && !(await rows.hasPasskey(tx, me.memberId))) throw new ApiError("passkey_missing");
    await members.setSecondFactor(tx, me.memberId, isOn);
  });
  ctx.log.info({ member: me.memberId, isOn }, "second factor set");
  return listPasskeys(ctx, me);
}

/** A session stolen later makes no codes. */
export async function createRecoveryCodes(
  ctx: AppContext,
  me: CurrentMember,
  form: ParsedOf<typeof createRecoveryCodesCall>,
  place: Place,
): Promise<{ codes: string[] }> {
  const hasFields = form.password != null || form.response != null;
  const needsProof = hasFields || !(await hasJustLoggedIn(ctx, me));
  const proof = needsProof ? await proveIfPossible(ctx, me, form, place) : null;
  const codes = await inAccount(ctx, me, async (tx) => {
    if (proof) await spendProof(tx, proof);
    return replaceRecoveryCodes(tx, ctx, me.memberId);
  });
  ctx.log.info({ member: me.memberId }, "recovery codes made");
  return { codes };
}

async function hasJustLoggedIn(ctx: AppContext, me: CurrentMember): Promise<boolean> {
  const loggedInAt = (await findDeviceOf(ctx, me))?.loggedInAt;
  return loggedInAt !== undefined && Date.parse(loggedInAt) > ctx.clock.now().getTime() - JUST_MS;
}

/** @throws not_confirmed */
async function proveIfPossible(
  ctx: AppContext,
  me: CurrentMember,
  form: ProofFields,
  place: Place,
): Promise<Proof | null> {
  const hasProof =
    (await rows.hasPasskey(ctx.db, me.memberId)) ||
    (await members.findPasswordHash(ctx.db, me.memberId)) !== null;
  return hasProof ? requireProof(ctx, me, form, place) : null;
}

async function inAccount<T>(
  ctx: AppContext,
  { memberId }: CurrentMember,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("login_required");
    return change(tx);
  });
}
