import type { ParsedOf } from "@alcove/contract";
import type { pressThreat as pressThreatCall } from "@alcove/contract/safety";
import { findEnded } from "../discovery/index.ts";
import { findMemberId, NO_MEMBER } from "../members/find-member.ts";
import { lockBoth, lockMember } from "../members/locks.ts";
import { findMemberById } from "../members/members.sql.ts";
import { hasWritten, readKeptIds, readKeptMessages } from "../messaging/index.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { pauseIn } from "../profiles/index.ts";
import { blockIn } from "../safety/index.ts";
import * as cases from "./cases.sql.ts";
import {
  claimEvidence,
  copySent,
  decryptContent,
  discardEvidence,
  encryptContent,
  type Evidence,
} from "./evidence.ts";
import { insertEvidence, readEvidence } from "./evidence.sql.ts";
import { findLeftAccount, type LeftAccount } from "./left-accounts.ts";
import { newNumber, openCase, ranks } from "./open-case.ts";
import { idOfContent, rankOf } from "./report-member.ts";
import { isFalseAlarmist } from "./reporters.ts";
import * as rows from "./reports.sql.ts";

type Form = ParsedOf<typeof pressThreatCall>;

interface Threatening {
  readonly memberId: number;
  /** Deleted, but their last messages are kept. */
  readonly left: LeftAccount | null;
}

/** The other side wrote, or left, while their messages were copied. */
class StaleError extends Error {}

/**
 * Copies the chat, parts the two, and pauses the caller if they chose it, all in one transaction. For the accused it is
 * a block. Safe to repeat.
 */
export async function pressThreat(
  ctx: AppContext,
  me: CurrentMember,
  form: Form,
): Promise<{ number: string }> {
  for (;;) {
    const other = await findThreatening(ctx, me, form);
    try {
      return { number: String(await press(ctx, me, other, form)) };
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
    }
  }
}

/** Also finds a suspended member. Takes as long for an unknown one. */
async function findThreatening(ctx: AppContext, me: CurrentMember, form: Form): Promise<Threatening> {
  const named = form.endedId
    ? await findEnded(ctx.db, me.memberId, form.endedId)
    : await findMemberId(ctx, form.userId!);
  const memberId = (await findMemberById(ctx.db, named ?? NO_MEMBER))?.member_no ?? NO_MEMBER;
  const wrote = await hasWritten(ctx, memberId, me.memberId);
  if (wrote && memberId !== me.memberId) return { memberId, left: null };
  const left = await findLeftAccount(ctx, me, form);
  if (!left) throw new ApiError("user_not_found");
  return { memberId: left.memberId, left };
}

interface Copied {
  readonly ids: ReadonlySet<string>;
  readonly chats: readonly Evidence[];
}

async function press(ctx: AppContext, me: CurrentMember, other: Threatening, form: Form): Promise<number> {
  const earlier = await findEarlier(ctx.db, me, other.memberId);
  const copied = await copyBoth(ctx, me, other, { form, known: await readCopied(ctx, earlier) });
  const part = async (tx: Tx, caseNo: number, number: number) => {
    const afterCommit = other.left ? null : await blockIn(tx, ctx, me, other);
    const ids = await readKeptIds(tx, ctx, me.memberId, other.memberId);
    if (!ids.every((id) => copied.ids.has(id))) throw new StaleError();
    const chats = await storeChats(tx, ctx, { caseNo, reportNo: number }, copied.chats);
    if (form.hide === true) await pauseIn(tx, ctx, me.memberId);
    await ctx.jobs.add(tx, "consider_freeze", { memberId: other.memberId });
    return { number, afterCommit, stored: chats };
  };
  let stored: ReadonlySet<Evidence> = new Set();
  try {
    const hasNews = copied.chats.length > 0;
    const again = earlier && (await pressAgain(ctx, me, other, { earlier, part, hasNews }));
    const done = again ?? (await openThreat(ctx, me, other, part));
    stored = done.stored;
    done.afterCommit?.();
    return done.number;
  } finally {
    for (const one of copied.chats) if (!stored.has(one)) await discardEvidence(ctx, one);
  }
}

interface Done {
  readonly number: number;
  readonly afterCommit: (() => void) | null;
  readonly stored: ReadonlySet<Evidence>;
}

type Part = (tx: Tx, caseNo: number, number: number) => Promise<Done>;

/** After three false alarms a press counts as a report: it is not urgent, and freezes nobody. */
async function openThreat(ctx: AppContext, me: CurrentMember, other: Threatening, part: Part): Promise<Done> {
  let done: Done | null = null;
  const kind = (await isFalseAlarmist(ctx.db, me.memberId)) ? "report" : "threat";
  await openCase(
    ctx,
    {
      kind,
      accused: other.memberId,
      rank: ranks.last,
      lock: (tx) => lockPair(tx, me, other),
      ...(other.left && { describe: () => other.left!.describe() }),
    },
    async (tx, caseNo) => {
      const rank = await rankOf(tx, ctx, me, { reason: kind === "threat" ? "threat" : "other" });
      await cases.raiseRank(tx, caseNo, rank);
      const report_no = await rows.insertReport(tx, {
        case_no: caseNo,
        report_no: newNumber(),
        reporter_no: me.memberId,
        reason: "threat",
        at: floorTo(ctx.clock.now(), DAY_MS),
        is_press: true,
      });
      done = await part(tx, caseNo, report_no);
      return true;
    },
  );
  return done!;
}

/** Returns null if the case is destroyed. New messages open a decided case again. */
async function pressAgain(
  ctx: AppContext,
  me: CurrentMember,
  other: Threatening,
  { earlier, part, hasNews }: { earlier: rows.ReportRow; part: Part; hasNews: boolean },
): Promise<Done | null> {
  return ctx.db.transaction().execute(async (tx) => {
    await lockPair(tx, me, other);
    const locked = await cases.lockCase(tx, earlier.case_no);
    if (!locked?.key_id) return null;
    if (hasNews && locked.decided_on !== null) await cases.reopenCase(tx, earlier.case_no);
    return part(tx, earlier.case_no, earlier.report_no);
  });
}

async function lockPair(tx: Tx, me: CurrentMember, { memberId, left }: Threatening): Promise<void> {
  if (left ? await lockMember(tx, me.memberId) : await lockBoth(tx, me.memberId, memberId)) return;
  if (await lockMember(tx, me.memberId)) throw new StaleError();
  throw new ApiError("login_required");
}

async function findEarlier(db: Db, me: CurrentMember, accused: number): Promise<rows.ReportRow | null> {
  const pressed = (await rows.readReports(db, await rows.readGiven(db, me.memberId))).filter(
    ({ is_press }) => is_press,
  );
  const about = new Set(
    (
      await cases.readCases(
        db,
        pressed.map(({ case_no }) => case_no),
      )
    ).flatMap(({ case_no, accused_no }) => (accused_no === accused ? case_no : [])),
  );
  return pressed.find(({ case_no }) => about.has(case_no)) ?? null;
}

async function readCopied(ctx: AppContext, earlier: rows.ReportRow | null): Promise<Set<string>> {
  const evidence = earlier ? await readEvidence(ctx.db, [earlier.case_no]) : [];
  const own = evidence.filter(({ report_no }) => report_no === earlier!.report_no);
  const contents = await Promise.all(own.map((row) => decryptContent(ctx, row)));
  return new Set(contents.flatMap((content) => (content?.lines ?? []).map(({ id }) => id)));
}

/** The accused's messages, and the caller's if they ticked them, each under a key of its own. */
async function copyBoth(
  ctx: AppContext,
  me: CurrentMember,
  { memberId }: Threatening,
  { form, known }: { form: Form; known: ReadonlySet<string> },
): Promise<Copied> {
  const { ids, messages } = await readKeptMessages(ctx, me.memberId, memberId);
  const chats: Evidence[] = [];
  for (const sender of [memberId, ...(form.ownMessages ? [me.memberId] : [])]) {
    const sent = messages.filter(({ id, senderMemberId }) => senderMemberId === sender && !known.has(id));
    if (sent.length > 0) chats.push(await copySent(ctx, sender, sent));
  }
  return { ids, chats };
}

/** Returns those stored: a press at the same time may have stored the same. */
async function storeChats(
  tx: Tx,
  ctx: AppContext,
  { caseNo: case_no, reportNo: report_no }: { caseNo: number; reportNo: number },
  chats: readonly Evidence[],
): Promise<Set<Evidence>> {
  const known = new Set((await readEvidence(tx, [case_no])).map(({ evidence_id }) => evidence_id));
  const stored = new Set<Evidence>();
  for (const chat of chats) {
    const ids = (chat.content.lines ?? []).map(({ id }) => id);
    const place = { case_no, evidence_id: idOfContent(ctx, [String(report_no), ...ids]) };
    if (known.has(place.evidence_id)) continue;
    await claimEvidence(tx, ctx, chat);
    await insertEvidence(tx, {
      ...place,
      report_no,
      key_id: chat.keyId,
      owner_no: chat.owner,
      encrypted_detail: null,
      encrypted_content: await encryptContent(ctx, chat, place),
    });
    stored.add(chat);
  }
  return stored;
}
