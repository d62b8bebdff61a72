import { randomUUID } from "node:crypto";
import { MAILBOX_REQUESTS } from "@alcove/contract/limits";
import type { OwnEmail } from "@alcove/contract/mailboxes";
import { RETENTION } from "@alcove/contract/retention";
import { fixEmailTo } from "../accounts/index.ts";
import { findIdentifiers } from "../members/find-member.ts";
import { lockMember } from "../members/locks.ts";
import { findEmailAndLanguage } from "../members/members.sql.ts";
import { addEntry, notifySoon } from "../notifications/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { publicOrigin } from "../platform/public-origin.ts";
import { linkUrl } from "./links.ts";
import * as rows from "./requests.sql.ts";

const LISTED = 200;
const TELLING_DAYS = MAILBOX_REQUESTS.days / MAILBOX_REQUESTS.tellings;

interface Content {
  readonly email: string;
  readonly order: string | null;
  readonly text: string;
}

const contentContext = (memberId: number, requestId: string): string =>
  `mailbox_requests.encrypted_content:${memberId}:${requestId}`;

/** Notifies the member by the app and the present address, with a link that stops the request. */
export async function tell(tx: Tx, ctx: AppContext, request: rows.RequestRow, origin: string): Promise<void> {
  const { member_no: memberId, request_id: requestId } = request;
  await rows.setTold(tx, request, request.told + 1);
  await addEntry(tx, { memberId, from: null, entryId: randomUUID(), kind: "notice" });
  const own = await findIdentifiers({ ...ctx, db: tx }, memberId);
  const member = await findEmailAndLanguage(tx, memberId);
  if (!own?.email || !member) return;
  const job = await fixEmailTo(ctx, { to: own.email, language: member.language }, (t, language) => [
    t("addressAsked"),
    t("addressAskedStop", { days: String(MAILBOX_REQUESTS.days) }),
    linkUrl(ctx, { origin, language }, { kind: "request", memberId, requestId }),
    t("wasYou"),
  ]);
  await ctx.jobs.add(tx, "fixed_email", job);
}

/** Notifies again after 10 and 20 days, and ends requests that no operator decided. */
export async function followRequests(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  for (const { member_no: memberId } of await rows.readAllOpen(ctx.db, Number.MAX_SAFE_INTEGER)) {
    await ctx.db.transaction().execute(async (tx) => {
      if (!(await lockMember(tx, memberId))) return;
      const open = await findOpen(tx, memberId);
      const due = open && Date.parse(open.asked_on) + open.told * TELLING_DAYS * DAY_MS;
      if (open && open.told < MAILBOX_REQUESTS.tellings && due! <= now.getTime())
        await tell(tx, ctx, open, publicOrigin(ctx.config));
    });
  }
  notifySoon(ctx);
  const dayBefore = (days: number) => utcDay(new Date(now.getTime() - days * DAY_MS));
  await rows.rejectOpenBefore(ctx.db, dayBefore(RETENTION.mailboxProofDays));
  await rows.deleteRequests(ctx.db, {
    unconfirmedAt: now,
    endedOn: dayBefore(RETENTION.mailboxRequestDays),
  });
}

async function findOpen(db: AppContext["db"], memberId: number): Promise<rows.RequestRow | null> {
  return (await rows.readRequests(db, memberId)).find(({ state }) => state === "open") ?? null;
}

const dueOn = ({ asked_on }: Pick<rows.RequestRow, "asked_on">): string =>
  utcDay(new Date(Date.parse(asked_on) + MAILBOX_REQUESTS.days * DAY_MS));

export async function readOpenRequest(ctx: AppContext, memberId: number): Promise<OwnEmail["request"]> {
  const open = await findOpen(ctx.db, memberId);
  return open && { asked_on: open.asked_on, due_on: dueOn(open) };
}

/** By a member in the app. @throws not_found */
export async function stopOwnRequest(ctx: AppContext, me: CurrentMember): Promise<void> {
  if (!(await stopRequest(ctx, me.memberId, null))) throw new ApiError("not_found");
}

/** Returns true if the request was open, or stopped before. @param requestId null for any */
export async function stopRequest(
  ctx: AppContext,
  memberId: number,
  requestId: string | null,
): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) return false;
    if (await rows.endRequest(tx, memberId, { from: "open", to: "stopped", id: requestId })) return true;
    const known = await rows.readRequests(tx, memberId);
    return known.some(({ request_id, state }) => request_id === requestId && state === "stopped");
  });
}

export async function rejectRequest(ctx: AppContext, memberId: number): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, memberId);
    return rows.endRequest(tx, memberId, { from: "open", to: "rejected" });
  });
}

export async function endRequests(tx: Tx, memberId: number, to: rows.RequestState): Promise<void> {
  await rows.endRequest(tx, memberId, { from: "open", to });
}

/** Uses up the link. Returns the proven address, or null. The member is locked. */
export async function takeProven(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  requestId: string,
): Promise<string | null> {
  const found = (await rows.readRequests(tx, memberId)).find(({ request_id }) => request_id === requestId);
  if (found?.state !== "proven" || !found.confirm_until || found.confirm_until <= ctx.clock.now())
    return null;
  const content = await decryptContent(ctx, found);
  await rows.endRequest(tx, memberId, { from: "proven", to: "done", id: requestId });
  return content?.email ?? null;
}

export interface ListedRequest extends Content {
  readonly memberId: number;
  readonly id: string;
  readonly askedOn: string;
  readonly dueOn: string;
  readonly told: number;
  readonly isDue: boolean;
}

export async function listMailboxRequests(ctx: AppContext): Promise<ListedRequest[]> {
  const open = await rows.readAllOpen(ctx.db, LISTED);
  return (await Promise.all(open.map((row) => presentRequest(ctx, row)))).filter((one) => one !== null);
}

export async function findMailboxRequest(ctx: AppContext, memberId: number): Promise<ListedRequest | null> {
  const open = await findOpen(ctx.db, memberId);
  return open && presentRequest(ctx, open);
}

async function presentRequest(ctx: AppContext, row: rows.RequestRow): Promise<ListedRequest | null> {
  const content = await decryptContent(ctx, row);
  const due = dueOn(row);
  const isDue = row.told >= MAILBOX_REQUESTS.tellings && utcDay(ctx.clock.now()) >= due;
  const { member_no: memberId, request_id: id, asked_on: askedOn, told } = row;
  return content && { memberId, id, askedOn, dueOn: due, told, isDue, ...content };
}

export async function encryptContent(
  { encryption }: AppContext,
  memberId: number,
  requestId: string,
  content: Content,
): Promise<Buffer> {
  return encryption.encrypt(memberId, JSON.stringify(content), contentContext(memberId, requestId));
}

async function decryptContent(
  { encryption }: AppContext,
  { member_no, request_id, encrypted_content: encrypted }: rows.RequestRow,
): Promise<Content | null> {
  const text =
    encrypted && (await encryption.decryptIfKept(encrypted, contentContext(member_no, request_id)));
  return text ? (JSON.parse(text) as Content) : null;
}
