import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { keyedSemaphore } from "../../platform/lib/semaphore.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { foldUserId } from "../members.ts";
import { findLogin, findMemberById } from "../members.sql.ts";
import { verifyPassword } from "../passwords/passwords.ts";
import { type Attempt, countAttempt } from "./login-limits.ts";
import { isKnownDevice, openSession } from "./sessions.ts";

/** A network's burst must not take all database connections. */
const PREPARING_PER_NETWORK = 4;
const prepare = keyedSemaphore(PREPARING_PER_NETWORK);

type Form = ParsedOf<typeof logInCall>;

/** A wrong password and an unknown user id take one Argon2 run each, count alike and return the same error. */
export async function logIn(
  ctx: AppContext,
  form: Form,
  from: { ip: string; userAgent: string },
): Promise<Tokens> {
  const account = foldUserId(form.user_id);
  const userId = USER_ID.pattern.test(form.user_id) ? account : "";
  const network = networkOf(from.ip);
  const { login, attempt, isKnown } = await prepare(network, async () => {
    const found = await findLogin(ctx.db, userId);
    const device = await findDevice(ctx, found?.member_no, form);
    const subject = { account, network, device };
    return {
      login: found,
      attempt: await countAttempt(ctx, subject, form.recaptchaToken),
      isKnown: device !== null,
    };
  });

  const hash = login?.password_hash ?? null;
  const isRight = await settle(attempt, () =>
    verifyPassword(ctx.secrets, hash, form.password, { account: userId, network, isKnown }),
  );
  const member = login && isRight && (await findMemberById(ctx.db, login.member_no));
  if (!member) throw new ApiError("wrong_credentials", login ? { memberId: login.member_no } : {});
  const ref = { memberId: member.member_no, userId: member.user_id };
  return openSession(ctx, ref, form.device, from.userAgent, async (tx) => {
    // A reset may have changed the password since the check.
    const current = await findLogin(tx, userId);
    if (current?.password_hash !== hash) throw new ApiError("wrong_credentials");
  });
}

/** A right password is no failure and a wrong one no login. An attempt without a result is neither. */
async function settle({ failure, success }: Attempt, attempt: () => Promise<boolean>): Promise<boolean> {
  const isWrong = await success.refundUnlessFalse(async () => !(await failure.refundUnlessFalse(attempt)));
  return !isWrong;
}

/** Returns the subject of a known device's own limits, or null. */
async function findDevice(
  ctx: AppContext,
  memberId: number | undefined,
  { device }: Form,
): Promise<string | null> {
  const isKnown = device != null && (await isKnownDevice(ctx, memberId, device));
  return isKnown ? `${memberId} ${device}` : null;
}
