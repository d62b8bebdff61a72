import { randomUUID } from "node:crypto";
import type { ResponseOf } from "@alcove/contract";
import type { getHelp, HelpMessage } from "@alcove/contract/help";
import { sendMemberEmail } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import { addEntry, notifySoon } from "../notifications/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import type { HelpEmailJob } from "./events.ts";
import * as rows from "./help.sql.ts";

const MESSAGES_SHOWN = 200;

interface Content {
  readonly text: string;
  readonly at: string;
}

export async function readHelp(ctx: AppContext, me: MemberRef): Promise<ResponseOf<typeof getHelp>> {
  return { messages: await readThread(ctx, ctx.db, me.memberId, MESSAGES_SHOWN) };
}

export async function ask(ctx: AppContext, me: CurrentMember, text: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    await store(tx, ctx, me.memberId, { text, isAnswer: false });
  });
}

/** Open threads by their newest question, without members and texts. */
export async function listOpenHelp(ctx: AppContext, limit: number) {
  const threads = await rows.readOpenThreads(ctx.db, limit);
  return threads.map(({ message_id: id, since, questions }) => ({ id, since, questions }));
}

export const findHelpOwner = (ctx: AppContext, id: string): Promise<number | null> =>
  rows.findOwner(ctx.db, id);

/**
 * Replies to a thread, or closes it if `text` is null.
 *
 * @param id the newest message that the operator has read
 * @throws conflict if the member or another operator has written since
 */
export async function answerHelp(
  ctx: AppContext,
  { memberId }: MemberRef,
  { id, text }: { id: string; text: string | null },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("not_found");
    const [newest] = await rows.readMessages(tx, memberId, 1);
    if (newest?.message_id !== id) throw new ApiError("conflict");
    await rows.closeQuestions(tx, memberId);
    if (text === null) return;
    await store(tx, ctx, memberId, { text, isAnswer: true });
    const entry = { memberId, from: null, entryId: randomUUID(), kind: "notice" as const };
    // Members without pushes and digest would wait for the reply in vain.
    if (!(await addEntry(tx, entry)))
      await ctx.jobs.add(tx, "help_email", { emailId: randomUUID(), memberId });
  });
  notifySoon(ctx);
  ctx.eventBus.publish("help_answered", { memberId });
}

/** Others may read it, so it has neither question nor reply. */
export async function sendHelpEmail(ctx: AppContext, job: HelpEmailJob): Promise<void> {
  await sendMemberEmail(ctx, job, (t) => [t("news"), t("newsNext")], { onlyIfActive: true });
}

export async function exportHelp(tx: Tx, ctx: AppContext, me: MemberRef): Promise<ExportPart> {
  const messages = await readThread(ctx, tx, me.memberId, Number.MAX_SAFE_INTEGER);
  return { values: { help: messages.map(({ from, text, created_at }) => ({ from, text, created_at })) } };
}

async function readThread(
  { encryption }: AppContext,
  db: Db,
  memberId: number,
  limit: number,
): Promise<HelpMessage[]> {
  const found = await rows.readMessages(db, memberId, limit);
  const messages = found.map(
    async ({ message_id: id, is_answer, encrypted_message }): Promise<HelpMessage> => {
      const content = await encryption.decrypt(encrypted_message, contextOf(memberId, id));
      const { text, at } = JSON.parse(content) as Content;
      return { id, from: is_answer ? "operator" : "me", text, created_at: at };
    },
  );
  return (await Promise.all(messages)).toReversed();
}

async function store(
  tx: Tx,
  { clock, encryption }: AppContext,
  memberId: number,
  { text, isAnswer }: { text: string; isAnswer: boolean },
): Promise<void> {
  const message_id = randomUUID();
  const now = clock.now();
  const content: Content = { text, at: now.toISOString() };
  await rows.insertMessage(tx, {
    member_no: memberId,
    message_id,
    is_answer: isAnswer,
    is_open: !isAnswer,
    sent_on: utcDay(now),
    encrypted_message: await encryption.encrypt(
      memberId,
      JSON.stringify(content),
      contextOf(memberId, message_id),
    ),
  });
}

const contextOf = (memberId: number, messageId: string): string =>
  `help_messages.encrypted_message:${memberId}:${messageId}`;
