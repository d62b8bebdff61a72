import type { ResponseOf, ParsedOf } from "@alcove/contract";
import type {
  previewSignUpIcon as previewSignUpIconCall,
  register as registerCall,
  requestSignUpCode,
} from "@alcove/contract/accounts";
import { ageError, hasReservedPart } from "@alcove/contract/fields";
import type { IconPreview, User } from "@alcove/contract/users";
import type { Language } from "@alcove/i18n";
import { previewIcon } from "../../media/index.ts";
import { utcDay, HOUR_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { fieldMessage } from "../../platform/i18n.ts";
import { type FieldErrors, throwIfInvalid, validationError } from "../../platform/errors.ts";
import type { Proven } from "../../platform/http/registered-call.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { presentOwnUser, usernameError } from "../../profiles/index.ts";
import { passesBotCheck } from "./bot-check.ts";
import { type Client, type CodeEntry, spendCode, verifyCode } from "../codes/codes.ts";
import { tryRequestCodeEmail } from "../codes/request-code.ts";
import type { Agreed } from "../consent/consents.ts";
import { newestVersions } from "../../members/legal-versions.ts";
import { isDisposable } from "./disposable-email.ts";
import { emailDigest } from "../../members/email-addresses.ts";
import { identifyGoogleAccount, hasMember } from "../login/google.ts";
import { commonPasswordError } from "../passwords/common-passwords.ts";
import { createMember } from "./create-member.ts";
import { isFormerUserId } from "../../members/former-accounts.ts";
import { findMember } from "../../members/find-member.ts";
import { findMemberIdByUserId } from "../../members/members.sql.ts";
import { userIdDigest } from "../../members/user-ids.ts";

const SIGN_UP_PREVIEWS = { name: "sign_up_previews", max: 30, windowMs: HOUR_MS };
const USER_ID_LOOKUPS = { name: "user_id_lookups", max: 20, windowMs: HOUR_MS };
const USER_ID_LOOKUPS_PER_NETWORK = {
  name: "user_id_lookups_per_network",
  max: 20,
  windowMs: HOUR_MS,
};

export async function requestCode(
  ctx: AppContext,
  form: ParsedOf<typeof requestSignUpCode>,
  language: Language,
  client: Client,
): Promise<ResponseOf<typeof requestSignUpCode>> {
  if (isDisposable(form.email)) return { error_message: fieldMessage(language, "email_disposable") };
  const isHuman = await passesBotCheck(ctx, "SignUp", form.recaptchaToken, client.ip);
  if (!isHuman) return { error_message: fieldMessage(language, "bot_check_failed") };
  const agreed = newestVersions(ctx.config);
  return tryRequestCodeEmail(ctx, "sign_up", { email: form.email, language, agreed }, client);
}

/** An invalid form without a picture costs neither a code nor a request to Google. The transaction spends the proof. */
export async function register(
  ctx: AppContext,
  form: ParsedOf<typeof registerCall>,
  language: Language,
  client: ProvenClient,
): Promise<{ user: User }> {
  const { email, code, provider: _provider, accessToken, agree_sensitive: _, ...person } = form;
  const proof = client.proof ?? (await proveAddress(ctx, { email, code, accessToken }, client));
  throwIfInvalid(await validateSignUp(ctx, form, { ...client, proof }));

  const {
    userId,
    password,
    passwordConfirmation: _passwordConfirmation,
    icon,
    icon_process,
    keep_clear_icon,
    invited_by_user_id,
    ...profile
  } = person;
  const network = networkOf(client.ip);
  const inviter = invited_by_user_id ? await findMember(ctx, invited_by_user_id) : null;
  const { memberId } = await createMember(
    ctx,
    {
      userId,
      password,
      email: proof.email,
      socialDigest: proof.socialDigest,
      language,
      invitedBy: inviter?.memberId ?? null,
      agreed: proof.agreed,
      profile,
      icon,
      iconProcess: icon_process ?? true,
      keepsClearIcon: keep_clear_icon ?? false,
      network,
    },
    proof.spend,
  );
  return { user: await presentOwnUser(ctx, { memberId, session: null }) };
}

/** Requires the same proof as `register`, but does not spend it. */
export async function previewSignUpIcon(
  ctx: AppContext,
  { email, code, accessToken, icon }: ParsedOf<typeof previewSignUpIconCall>,
  client: ProvenClient,
): Promise<IconPreview> {
  const proof = client.proof ?? (await proveAddress(ctx, { email, code, accessToken }, client));
  const address = emailDigest(ctx.encryption, proof.email).toString("hex");
  await ctx.rateLimits.consume(SIGN_UP_PREVIEWS, address);
  return previewIcon(ctx, address, icon);
}

export interface EmailProof {
  readonly email: string;
  /** Null if a code proved the address. */
  readonly socialDigest: Buffer | null;
  /** In step 1; null for Google. */
  readonly agreed: Agreed | null;
  readonly spend: (tx: Tx) => Promise<void>;
}

type Evidence = Pick<ParsedOf<typeof registerCall>, "email" | "code" | "accessToken">;
type ProvenClient = Client & Proven<EmailProof>;

/**
 * Proves the address before the picture of a form is read. Returns null if the evidence is missing.
 *
 * @throws as `proveAddress`
 */
export async function proveBeforePicture(
  ctx: AppContext,
  { email, code, accessToken }: Partial<Evidence>,
  client: Client,
): Promise<EmailProof | null> {
  const hasEvidence = accessToken != null || (email != null && code != null);
  return hasEvidence ? proveAddress(ctx, { email, code, accessToken }, client) : null;
}

/** @throws a field error for a wrong code, and for an account that exists */
async function proveAddress(
  ctx: AppContext,
  { email, code, accessToken }: Evidence,
  client: Client,
): Promise<EmailProof> {
  return accessToken
    ? proveByGoogle(ctx, accessToken, client.ip)
    : proveByCode(ctx, { email: email!, code: code!, client });
}

async function proveByCode(ctx: AppContext, entry: CodeEntry): Promise<EmailProof> {
  const right = await verifyCode(ctx, "sign_up", entry);
  if (!right) throw validationError({ code: "code_wrong" });
  return {
    email: entry.email,
    socialDigest: null,
    agreed: right.agreed,
    async spend(tx) {
      if (!(await spendCode(tx, ctx, "sign_up", entry))) throw validationError({ code: "code_wrong" });
    },
  };
}

/** Nothing is spent: a Google account creates one member at most. */
async function proveByGoogle(ctx: AppContext, token: string, ip: string): Promise<EmailProof> {
  const identity = await identifyGoogleAccount(ctx, token, ip);
  if (await hasMember(ctx, identity)) throw validationError({ email: "account_exists" });
  return {
    email: identity.email,
    socialDigest: identity.digest,
    agreed: null,
    spend: async () => {},
  };
}

/**
 * With a proof of the address, also looks up the user id, so that the screen can ask early.
 *
 * @throws the errors of the proof alone if it is wrong
 */
export async function validateSignUp(
  ctx: AppContext,
  form: Partial<ParsedOf<typeof registerCall>>,
  client: ProvenClient,
): Promise<FieldErrors> {
  const errors = await validateFields(ctx, form);
  const { userId } = form;
  if (userId === undefined || errors["user_id"]) return errors;
  const proof = client.proof ?? (await proveBeforePicture(ctx, form, client));
  if (!proof) return errors;
  return { ...errors, user_id: await userIdTakenError(ctx, userId, proof, networkOf(client.ip)) };
}

/** Checks the valid fields only. Does not look up the user id: the address is not proven yet. */
async function validateFields(
  ctx: AppContext,
  { userId, username, password, date_of_birth: birth }: Partial<ParsedOf<typeof registerCall>>,
): Promise<FieldErrors> {
  const isReserved = userId !== undefined && hasReservedPart(userId, ctx.config.brandName);
  return {
    password: await commonPasswordError(password),
    date_of_birth: birth === undefined ? null : ageError(utcDay(ctx.clock.now()), birth),
    user_id: isReserved ? "user_id_reserved" : null,
    username: usernameError(username, ctx.config),
  };
}

/** Counts per proof and per network, so that user ids cannot be listed. */
async function userIdTakenError(
  ctx: AppContext,
  userId: string,
  { email }: EmailProof,
  network: string,
): Promise<"user_id_taken" | null> {
  await ctx.rateLimits.consumeAll([
    [USER_ID_LOOKUPS, emailDigest(ctx.encryption, email).toString("hex")],
    [USER_ID_LOOKUPS_PER_NETWORK, network],
  ]);
  const memberId = await findMemberIdByUserId(ctx.db, userIdDigest(ctx.encryption, userId));
  const isTaken = memberId !== undefined || (await isFormerUserId(ctx.db, ctx, userId));
  return isTaken ? "user_id_taken" : null;
}
