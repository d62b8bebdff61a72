import { randomUUID } from "node:crypto";
import type { ParsedOf } from "@alcove/contract";
import type { NoticeKind, sendNotice } from "@alcove/contract/notices";
import type { Language } from "@alcove/i18n";
import { passesBotCheck } from "../accounts/index.ts";
import { addEvidence, copyNotice, openCase, ranks, reopenCase } from "../cases/index.ts";
import { floorTo, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { validationError } from "../platform/errors.ts";
import { networkOf } from "../platform/security/client-network.ts";
import * as rows from "./notices.sql.ts";

const NOTICES_PER_NETWORK = { name: "notices_per_network", max: 5, windowMs: HOUR_MS };
/** Of all notifiers, so that a botnet cannot fill the queue. */
const NOTICES = { name: "notices", max: 100, windowMs: HOUR_MS };

const INTIMATE_HOURS = 48;
const OTHER_HOURS = 7 * 24;

type Form = ParsedOf<typeof sendNotice>;

export interface Notifier {
  readonly name: string;
  readonly email: string;
  readonly language: Language;
  readonly userId: string | null;
  readonly url: string | null;
}

export const hoursOf = (kind: NoticeKind): number => (kind === "intimate" ? INTIMATE_HOURS : OTHER_HOURS);

/** Runs before a picture is read. */
export async function proveNotifier(
  ctx: AppContext,
  { recaptchaToken }: Pick<Partial<Form>, "recaptchaToken">,
  ip: string,
): Promise<true> {
  if (!(await passesBotCheck(ctx, "Notice", recaptchaToken, ip)))
    throw validationError({ recaptcha_token: "bot_check_failed" });
  await ctx.rateLimits.consume(NOTICES_PER_NETWORK, networkOf(ip));
  await ctx.rateLimits.consume(NOTICES, "all");
  return true;
}

/** Opens a case without looking for an account or copy: a job does. The response is the same for all notices. */
export async function receiveNotice(
  ctx: AppContext,
  form: Form,
  { language, ip, isProven }: { language: Language; ip: string; isProven: boolean },
): Promise<{ number: string }> {
  if (!isProven) await proveNotifier(ctx, form, ip);
  const { evidence, hashes } = await copyNotice(
    ctx,
    { text: textOf(form), file: form.file ?? null },
    networkOf(ip),
  );
  const now = ctx.clock.now();
  const caseNo = await openCase(
    ctx,
    {
      kind: "notice",
      accused: null,
      rank: form.kind === "child" ? ranks.urgent : ranks.normal,
      dueAt: floorTo(new Date(now.getTime() + hoursOf(form.kind) * HOUR_MS), HOUR_MS),
      evidence: [evidence],
    },
    async (tx, no) => {
      await store(tx, ctx, no, form, { language, hashes });
      return true;
    },
  );
  return { number: String(caseNo) };
}

async function store(
  tx: Tx,
  ctx: AppContext,
  case_no: number,
  { kind, name, email, userId, url }: Form,
  { language, hashes }: { language: Language; hashes: string[] },
): Promise<void> {
  const key_id = ctx.encryption.keys.create();
  const notifier: Notifier = { name, email, language, userId: userId ?? null, url: url ?? null };
  await rows.insertNotice(tx, {
    case_no,
    kind,
    key_id,
    encrypted_notice: await ctx.encryption.encrypt(key_id, JSON.stringify(notifier), noticeContext(case_no)),
    hashes,
    received_on: utcDay(ctx.clock.now()),
    state: "received",
  });
  await ctx.encryption.keys.store(tx, key_id);
  await ctx.jobs.add(tx, "notice_email", { emailId: randomUUID(), caseNo: case_no, kind: "receipt" });
  await ctx.jobs.add(tx, "search_notice", { caseNo: case_no });
}

/** What operators read of it. The address stays out: the server alone writes to it. */
function textOf({ kind, text, url, userId, name }: Form): string {
  const facts = [`${kind} · ${name}`, text, url && `→ ${url}`, userId && `→ ${userId}`];
  return facts.filter(Boolean).join("\n\n");
}

/** Records an objection that came by email. Returns false without a decision, and for a second one. */
export async function appealNotice(ctx: AppContext, caseNo: number, text: string): Promise<boolean> {
  const { evidence } = await copyNotice(ctx, { text, file: null }, String(caseNo));
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await rows.setState(tx, caseNo, { from: "answered", to: "appealed" }))) return false;
    await reopenCase(tx, caseNo);
    await addEvidence(tx, ctx, caseNo, evidence);
    return true;
  });
}

/** Once, after the decision was sent. */
export async function canObject(ctx: AppContext, caseNo: number): Promise<boolean> {
  return (await rows.readNotice(ctx.db, caseNo))?.state === "answered";
}

export async function readNotifier(
  { encryption }: AppContext,
  { case_no, encrypted_notice }: Pick<rows.NoticeRow, "case_no" | "encrypted_notice">,
): Promise<Notifier> {
  return JSON.parse(await encryption.decrypt(encrypted_notice, noticeContext(case_no))) as Notifier;
}

export async function sweepNotices(ctx: AppContext): Promise<void> {
  for (const { case_no, key_id } of await rows.readOver(ctx.db))
    await ctx.db.transaction().execute(async (tx) => {
      await rows.deleteNotice(tx, case_no);
      await ctx.encryption.keys.destroy(tx, [key_id]);
    });
}

const noticeContext = (caseNo: number): string => `notices.encrypted_notice:${caseNo}`;
