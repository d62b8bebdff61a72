import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { keyedSemaphore } from "../../platform/lib/semaphore.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { findMemberIdByUserId, findPasswordHash } from "../../members/members.sql.ts";
import { foldUserId, userIdDigest } from "../../members/user-ids.ts";
import { verifyPassword } from "../passwords/passwords.ts";
import { countAttempt } from "./login-limits.ts";
import { isKnownDevice, NO_MEMBER, openSession } from "./sessions.ts";

const PREPARING_PER_NETWORK = 4;
const prepare = keyedSemaphore(PREPARING_PER_NETWORK);

type Form = ParsedOf<typeof logInCall>;

/** A wrong password and an unknown user id take one Argon2 run each, count alike and return the same error. */
export async function logIn(
  ctx: AppContext,
  form: Form,
  from: { ip: string; userAgent: string; lang: Language },
): Promise<Tokens> {
  const account = foldUserId(form.user_id);
  const userId = USER_ID.pattern.test(form.user_id) ? account : "";
  const digest = userIdDigest(ctx.encryption, userId);
  const network = networkOf(from.ip);
  const { memberId, hash, failure, success, hadFailures, isKnown } = await prepare(network, async () => {
    const found = await findMemberIdByUserId(ctx.db, digest);
    const device = await findDevice(ctx, found, form);
    const subject = { account, network, device };
    return {
      memberId: found,
      hash: await findPasswordHash(ctx.db, found ?? NO_MEMBER),
      ...(await countAttempt(ctx, subject, form.recaptchaToken)),
      isKnown: device !== null,
    };
  });

  let isRight: boolean;
  try {
    isRight = await verifyPassword(ctx.secrets, hash, form.password, { account: userId, network, isKnown });
  } catch (error) {
    await Promise.all([failure.refund(), success.refund()]);
    throw error;
  }
  if (memberId === undefined || !isRight) {
    await success.refund();
    throw new ApiError("wrong_credentials", memberId === undefined ? {} : { memberId });
  }
  const opening = openSession(ctx, memberId, {
    device: form.device,
    userAgent: from.userAgent,
    passwordHash: hash,
    language: from.lang,
    afterWrongPasswords: hadFailures,
  });
  const [tokens] = await Promise.all([opening, failure.refund()]);
  return tokens;
}

/** A known device has limits of its own. */
async function findDevice(
  ctx: AppContext,
  memberId: number | undefined,
  { device }: Form,
): Promise<string | null> {
  const isKnown = device != null && (await isKnownDevice(ctx, memberId, device));
  return isKnown ? `${memberId} ${device}` : null;
}
