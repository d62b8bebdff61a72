import { randomUUID } from "node:crypto";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { sendMemberEmail } from "./emails/emails.ts";
import type { SuspensionEmailJob } from "./events.ts";
import { lockMember } from "../members/locks.ts";
import * as members from "../members/members.sql.ts";
import { endSessionsOf } from "./login/sessions.sql.ts";

/** A member who is suspended already keeps their first reason and gets no email. */
export async function suspendMember(
  ctx: AppContext,
  memberId: number,
  reason: string | null = null,
): Promise<void> {
  await suspendIf(ctx, memberId, reason, async () => true);
}

/** Runs `condition` in the same transaction, after the member's lock. False changes nothing. */
export async function suspendIf(
  ctx: AppContext,
  memberId: number,
  reason: string | null,
  condition: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const encrypted = reason && (await ctx.encryption.encrypt(memberId, reason, reasonContext(memberId)));
  let afterCommit = () => {};
  const isMet = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId)) || !(await condition(tx))) return false;
    if (!(await members.setSuspended(tx, memberId, encrypted || null))) return true;
    await endSessionsOf(tx, memberId, ctx.clock.now());
    afterCommit = await ctx.domainEvents.emit(tx, "member_suspended", { memberId });
    await ctx.jobs.add(tx, "suspension_email", { emailId: randomUUID(), memberId, isOver: false });
    return true;
  });
  if (isMet) ctx.eventBus.publish("member_ended", { memberId });
  if (isMet) afterCommit();
  return isMet;
}

export async function restoreMember(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await members.setRestored(tx, memberId))) return;
    await ctx.domainEvents.emit(tx, "member_restored", { memberId });
    await ctx.jobs.add(tx, "suspension_email", { emailId: randomUUID(), memberId, isOver: true });
  });
}

export async function readSuspensionReason(ctx: AppContext, memberId: number): Promise<string | null> {
  const encrypted = await members.readSuspensionReason(ctx.db, memberId);
  return encrypted && ctx.encryption.decryptIfKept(encrypted, reasonContext(memberId));
}

/** NOTE: the reason stays out of the email, because others may read it too. */
export async function sendSuspensionEmail(ctx: AppContext, job: SuspensionEmailJob): Promise<void> {
  const { supportEmail: support } = ctx.config;
  await sendMemberEmail(
    ctx,
    job,
    (t) =>
      job.isOver
        ? [t("suspensionOver"), t("suspensionOverNext", { support })]
        : [t("suspended"), t("suspendedAppeal", { support }), t("suspendedData")],
    { replyTo: support },
  );
}

const reasonContext = (memberId: number): string => `members.encrypted_suspension_reason:${memberId}`;
