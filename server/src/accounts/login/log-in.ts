import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import { keyedSemaphore } from "../../platform/lib/semaphore.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { emailDigest } from "../../members/email-addresses.ts";
import * as members from "../../members/members.sql.ts";
import { foldUserId, userIdDigest } from "../../members/user-ids.ts";
import { proveRecoveryCode, spendProof } from "../passkeys/proofs.ts";
import { proveSecondFactor } from "../passkeys/second-factor.ts";
import { verifyPassword } from "../passwords/passwords.ts";
import { countAttempt } from "./login-limits.ts";
import { isKnownDevice, NO_MEMBER, openSession } from "./sessions.ts";

const PREPARING_PER_NETWORK = 4;
const prepare = keyedSemaphore(PREPARING_PER_NETWORK);

type Form = ParsedOf<typeof logInCall>;

interface Client {
  readonly ip: string;
  readonly userAgent: string;
  readonly lang: Language;
  readonly origin: string;
}

/** Wrong proofs and unknown names take the same work, count alike and return the same error. */
export async function logIn(ctx: AppContext, form: Form, from: Client): Promise<Tokens> {
  const network = networkOf(from.ip);
  const attempt = await prepare(network, async () => {
    const { memberId, device } = await findAccount(ctx, form);
    const account = foldUserId(form.user_id);
    const subject = { account, network, memberId, device };
    const login = await members.findLogin(ctx.db, memberId ?? NO_MEMBER);
    return { ...login, ...subject, ...(await countAttempt(ctx, subject, form.recaptchaToken)) };
  });
  const { memberId, device, failure, success, needsSecondFactor, isStopped } = attempt;

  let right: { passwordHash?: string | null; recheck?: (tx: Tx) => Promise<void> } | null;
  try {
    right = await verifyFirstFactor(ctx, form, attempt);
  } catch (error) {
    await Promise.all([failure.refund(), success.refund()]);
    throw error;
  }
  if (memberId === undefined || !right) {
    await success.refund();
    throw new ApiError("wrong_credentials", memberId === undefined ? {} : { memberId });
  }
  const proves = form.password != null && (form.recovery_code ?? form.response) != null;
  const isProof = needsSecondFactor || (isStopped && device === null && proves);
  const recheck = isProof ? await requireSecondFactor(ctx, form, from, attempt) : right.recheck;
  const opening = openSession(ctx, memberId, {
    device: form.device ?? null,
    userAgent: from.userAgent,
    language: from.lang,
    afterWrongPasswords: attempt.hadFailures,
    hasSecondFactor: needsSecondFactor,
    opensStopped: device !== null || isProof || form.password == null,
    ...right,
    ...(recheck && { recheck }),
  });
  const [tokens] = await Promise.all([opening, failure.refund()]);
  return tokens;
}

/** An email address names an account on its known devices only (docs/adr/0063-email-address-as-login-name.md). */
async function findAccount(
  ctx: AppContext,
  { user_id: name, device: token }: Form,
): Promise<{ memberId: number | undefined; device: string | null }> {
  const isEmail = name.includes("@");
  const memberId = isEmail
    ? await members.findMemberIdByEmail(ctx.db, emailDigest(ctx.encryption, name))
    : await members.findMemberIdByUserId(
        ctx.db,
        userIdDigest(ctx.encryption, USER_ID.pattern.test(name) ? name : ""),
      );
  const isKnown = token != null && (await isKnownDevice(ctx, memberId, token));
  return { memberId: isEmail && !isKnown ? undefined : memberId, device: isKnown ? token : null };
}

interface Named {
  readonly memberId: number | undefined;
  readonly account: string;
  readonly network: string;
  readonly device: string | null;
  readonly passwordHash: string | null;
  readonly needsSecondFactor: boolean;
}

/** Without a second factor a recovery code is enough. Returns null for a wrong proof. */
async function verifyFirstFactor(
  ctx: AppContext,
  { password, recovery_code: code }: Form,
  { memberId, account, network, device, passwordHash, needsSecondFactor }: Named,
) {
  if (password != null) {
    const origin = { account, network, isKnown: device !== null };
    return (await verifyPassword(ctx.secrets, passwordHash, password, origin)) ? { passwordHash } : null;
  }
  const proof = await proveRecoveryCode(ctx, memberId, code ?? "");
  if (!proof || needsSecondFactor) return null;
  return { recheck: (tx: Tx) => spendProof(tx, proof, "wrong_credentials") };
}

/** The password was right. A wrong second factor counts as a failure. */
async function requireSecondFactor(
  ctx: AppContext,
  form: Form,
  { origin }: Client,
  { memberId, failure, success }: Awaited<ReturnType<typeof countAttempt>> & { memberId: number | undefined },
): Promise<(tx: Tx) => Promise<void>> {
  try {
    return await proveSecondFactor(ctx, memberId ?? NO_MEMBER, form, origin);
  } catch (error) {
    const isWrong = error instanceof ApiError && error.code !== "passkey_required";
    await Promise.all([success.refund(), ...(isWrong ? [] : [failure.refund()])]);
    throw error;
  }
}
