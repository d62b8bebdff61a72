import { EMAIL_CHANGES, KNOWN_DEVICE_DAYS } from "@alcove/contract/limits";
import type { changeEmail as changeEmailCall, OwnEmail, requestEmailCode } from "@alcove/contract/mailboxes";
import type { ParsedOf } from "@alcove/contract";
import { RETENTION } from "@alcove/contract/retention";
import type { User } from "@alcove/contract/users";
import type { Language } from "@alcove/i18n";
import {
  type Client,
  deleteCodesOf,
  fixEmailTo,
  isDeviceKnownSince,
  isDisposable,
  requestCodeEmail,
  requireProof,
  spendCode,
  spendProof,
  verifyCode,
} from "../accounts/index.ts";
import { emailDigest } from "../members/email-addresses.ts";
import { lockMember } from "../members/locks.ts";
import { areLoginsStopped, clearSocialAccount, findEmailAndLanguage } from "../members/members.sql.ts";
import { ceilTo, DAY_MS, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { nextNumber } from "../platform/db/sequences.sql.ts";
import { tooManyRequests } from "../platform/security/rate-limits.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { afterStop, encryptHeld, isSameEmail, readState, type State, writeState } from "./addresses.ts";
import { insertChange } from "./email-changes.sql.ts";
import { linkUrl } from "./links.ts";
import { endRequests, readOpenRequest } from "./requests.ts";

export async function readOwnEmail(ctx: AppContext, me: CurrentMember): Promise<OwnEmail> {
  const state = await readState(ctx, me.memberId);
  if (!state) throw new ApiError("login_required");
  const waitMs = waitOf(ctx, state);
  const isStopped = await areLoginsStopped(ctx.db, me.memberId);
  return {
    email: state.current ?? "",
    next_change_at: waitMs > 0 ? new Date(ctx.clock.now().getTime() + waitMs).toISOString() : null,
    known_device: await isDeviceKnown(ctx, me),
    choice: isStopped ? { before: state.current ?? "", after: afterStop(state) } : null,
    request: await readOpenRequest(ctx, me.memberId),
  };
}

export async function requestCode(
  ctx: AppContext,
  me: CurrentMember,
  { email }: ParsedOf<typeof requestEmailCode>,
  language: Language,
  client: Client,
): Promise<Record<string, never>> {
  if (isDisposable(email)) throw validationError({ email: "email_disposable" });
  const state = await readState(ctx, me.memberId);
  if (!state) throw new ApiError("login_required");
  await checkState(ctx, ctx.db, state);
  checkNew(ctx, state, email);
  await requestCodeEmail(ctx, "change_email", { email, language, memberId: me.memberId }, client);
  return {};
}

interface From extends Client {
  readonly origin: string;
}

/**
 * Last step. A wrong code counts before the proof is looked at.
 *
 * @throws field errors, not_confirmed, conflict, too_many_requests
 */
export async function changeEmail(
  ctx: AppContext,
  me: CurrentMember,
  form: ParsedOf<typeof changeEmailCall>,
  from: From,
): Promise<{ user: User }> {
  const { email, code, others_read: isHidden } = form;
  const entry = { email, code, client: from, memberId: me.memberId };
  if (!(await verifyCode(ctx, "change_email", entry))) throw validationError({ code: "code_wrong" });
  const proof = await requireProof(ctx, me, form, from);
  if (isHidden && proof.kind !== "passkey" && !(await isDeviceKnown(ctx, me)))
    throw validationError({ others_read: "device_too_new" });
  await moveAddress(ctx, me.memberId, { isHidden: isHidden === true, origin: from.origin }, async (tx) => {
    await spendProof(tx, proof);
    if (!(await spendCode(tx, ctx, "change_email", entry))) throw validationError({ code: "code_wrong" });
    return email;
  });
  return { user: await presentOwnUser(ctx, me) };
}

interface Move {
  readonly isHidden: boolean;
  readonly origin: string;
}

/** `take` uses the proof up after the member is locked, and returns the new address. */
export async function moveAddress(
  ctx: AppContext,
  memberId: number,
  { isHidden, origin }: Move,
  take: (tx: Tx) => Promise<string>,
): Promise<void> {
  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("login_required");
    const state = (await readState(ctx, memberId, tx))!;
    await checkState(ctx, tx, state);
    const email = await take(tx);
    checkNew(ctx, state, email);
    const now = ctx.clock.now();
    const change_no = await nextNumber(tx, "email_change_sequence");
    const isTold = !isHidden && state.current !== null;
    const stop_until = isTold
      ? ceilTo(new Date(now.getTime() + RETENTION.heldEmailDays * DAY_MS), HOUR_MS)
      : null;
    const before = isTold ? state.current : null;
    const change = { change_no, changed_on: utcDay(now), stop_until, is_stopped: false, before, after: null };
    await insertChange(tx, {
      member_no: memberId,
      change_no,
      changed_on: change.changed_on,
      stop_until,
      encrypted_before: await encryptHeld(ctx, memberId, change_no, "before", before),
    });
    await writeState(tx, ctx, state, {
      memberId,
      current: email,
      changes: [...state.changes, change],
    });
    await forgetCodes(tx, ctx, [state.current]);
    // A reader of a Google account's mailbox could log in with it.
    await clearSocialAccount(tx, memberId);
    await endRequests(tx, memberId, "stopped");
    if (before !== null) await queueNotice(tx, ctx, { memberId, changeNo: change_no, to: before, origin });
    return ctx.domainEvents.emit(tx, "email_changed", { memberId });
  });
  afterCommit();
  ctx.log.info({ member: memberId }, "email address changed");
}

async function queueNotice(
  tx: Tx,
  ctx: AppContext,
  { memberId, changeNo, to, origin }: { memberId: number; changeNo: number; to: string; origin: string },
): Promise<void> {
  const member = await findEmailAndLanguage(tx, memberId);
  const job = await fixEmailTo(ctx, { to, language: member!.language }, (t, language) => [
    t("addressChanged"),
    t("addressChangedStop", { days: String(RETENTION.heldEmailDays) }),
    linkUrl(ctx, { origin, language }, { kind: "change", memberId, changeNo }),
    t("wasYou"),
  ]);
  await ctx.jobs.add(tx, "fixed_email", job);
}

async function checkState(ctx: AppContext, db: Db, state: State): Promise<void> {
  if (await areLoginsStopped(db, state.memberId)) throw new ApiError("conflict");
  const waitMs = waitOf(ctx, state);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

function checkNew(ctx: AppContext, state: State, email: string): void {
  if (isSameEmail(ctx, state.current, email)) throw validationError({ email: "email_unchanged" });
}

function waitOf({ clock }: AppContext, { changes }: State): number {
  const oldest = changes.at(-EMAIL_CHANGES.max);
  if (!oldest) return 0;
  return Math.max(0, Date.parse(oldest.changed_on) + EMAIL_CHANGES.days * DAY_MS - clock.now().getTime());
}

function isDeviceKnown(ctx: AppContext, me: CurrentMember): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - KNOWN_DEVICE_DAYS * DAY_MS);
  return isDeviceKnownSince(ctx.db, me, since);
}

export async function forgetCodes(
  tx: Tx,
  { encryption }: AppContext,
  emails: readonly (string | null)[],
): Promise<void> {
  for (const email of emails) if (email !== null) await deleteCodesOf(tx, emailDigest(encryption, email));
}
