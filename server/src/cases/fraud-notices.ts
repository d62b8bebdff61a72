import { randomUUID } from "node:crypto";
import type { MemberNotice } from "@alcove/contract/cases";
import { RETENTION } from "@alcove/contract/retention";
import type { Language } from "@alcove/i18n";
import { shareLockMember } from "../members/locks.ts";
import { addEntry, notifySoon } from "../notifications/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { translator } from "../platform/i18n.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { readCase } from "./cases.sql.ts";
import { decryptAccused } from "./open-case.ts";
import * as rows from "./contacts.sql.ts";
import type { NoticeKind } from "./tables.ts";

/** Safe to run twice: each member gets one notice of a kind and case. A correction follows a notice only. */
export async function warnContacts(ctx: AppContext, caseNo: number, kind: NoticeKind): Promise<void> {
  const found = await readCase(ctx.db, caseNo);
  const name = found && (await decryptAccused(ctx, found))?.name;
  if (!found || !name) return;
  for (const memberId of await rows.readContacts(ctx.db, caseNo))
    await notify(ctx, { memberId, caseNo, kind, name });
}

async function notify(
  ctx: AppContext,
  { memberId, caseNo, kind, name }: { memberId: number; caseNo: number; kind: NoticeKind; name: string },
): Promise<void> {
  const id = randomUUID();
  const isNew = await ctx.db.transaction().execute(async (tx) => {
    if (!(await shareLockMember(tx, memberId))) return false;
    if (kind === "correction" && !(await rows.hasNotice(tx, memberId, caseNo))) return false;
    const isInserted = await rows.insertNotice(tx, {
      member_no: memberId,
      notice_id: id,
      case_no: caseNo,
      kind,
      encrypted_name: await ctx.encryption.encrypt(memberId, name, nameContext(id)),
      created_on: utcDay(ctx.clock.now()),
    });
    if (isInserted) await addEntry(tx, { memberId, from: null, entryId: id, kind: "notice" });
    return isInserted;
  });
  if (!isNew) return;
  ctx.eventBus.publish("notice_added", { memberId, id });
  notifySoon(ctx);
}

export async function listNotices(
  ctx: AppContext,
  { memberId }: CurrentMember,
  language: Language,
): Promise<MemberNotice[]> {
  const t = translator(language, "memberNotices");
  return Promise.all(
    (await rows.readNotices(ctx.db, memberId)).map(async (row) => ({
      id: row.notice_id,
      text: t(row.kind, { name: await decryptName(ctx, row) }),
      created_on: row.created_on,
      is_new: row.is_new,
    })),
  );
}

export function pushNotices({ eventBus, sockets }: AppContext): void {
  eventBus.subscribe("notice_added", async ({ memberId, id }) =>
    sockets.send(memberId, () => ({ notice: { id } })),
  );
}

export async function exportNotices(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const notices = (await rows.readNotices(tx, me.memberId)).map(async (row) => ({
    kind: row.kind,
    name: await decryptName(ctx, row),
    created_on: row.created_on,
  }));
  return { values: { notices: await Promise.all(notices) } };
}

export async function sweepNotices(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION.noticeDays * DAY_MS);
  await rows.deleteNoticesBefore(ctx.db, utcDay(before));
}

const decryptName = ({ encryption }: AppContext, row: rows.NoticeRow): Promise<string> =>
  encryption.decrypt(row.encrypted_name, nameContext(row.notice_id));

const nameContext = (id: string): string => `member_notices.encrypted_name:${id}`;
