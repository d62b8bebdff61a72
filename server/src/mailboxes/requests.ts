import { randomUUID } from "node:crypto";
import { MAILBOX_REQUESTS } from "@alcove/contract/limits";
import type { askNewEmail, OwnEmail } from "@alcove/contract/mailboxes";
import type { ParsedOf } from "@alcove/contract";
import { RETENTION } from "@alcove/contract/retention";
import type { Language } from "@alcove/i18n";
import {
  fixEmailTo,
  passesBotCheck,
  type ProofFields,
  provePasskey,
  proveRecoveryCode,
  spendProof,
  withinEmailLimits,
} from "../accounts/index.ts";
import { findIdentifiers, findMember, NO_MEMBER } from "../members/find-member.ts";
import { lockMember } from "../members/locks.ts";
import { findEmailAndLanguage } from "../members/members.sql.ts";
import { foldUserId } from "../members/user-ids.ts";
import { addEntry, notifySoon } from "../notifications/index.ts";
import { ceilTo, DAY_MS, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { networkOf } from "../platform/security/client-network.ts";
import { publicOrigin } from "../platform/public-origin.ts";
import type { NewEmailJob } from "./events.ts";
import { linkUrl } from "./links.ts";
import * as rows from "./requests.sql.ts";

const REQUESTS_PER_NETWORK = { name: "mailbox_requests_per_network", max: 5, windowMs: HOUR_MS };
const REQUESTS_PER_ACCOUNT = { name: "mailbox_requests_per_account", max: 10, windowMs: DAY_MS };
const CONFIRM_MS = HOUR_MS;
const LISTED = 200;
const TELLING_DAYS = MAILBOX_REQUESTS.days / MAILBOX_REQUESTS.tellings;

interface Content {
  readonly email: string;
  readonly order: string | null;
  readonly text: string;
}

interface Asked extends ProofFields {
  readonly userId: string;
  readonly email: string;
  readonly order: string | null;
  readonly text: string | null;
  readonly language: Language;
  readonly origin: string;
}

const jobContext = (emailId: string): string => `jobs.new_email_request:${emailId}`;
const contentContext = (memberId: number, requestId: string): string =>
  `mailbox_requests.encrypted_content:${memberId}:${requestId}`;

interface From {
  readonly ip: string;
  readonly lang: Language;
  readonly origin: string;
}

/** Known and unknown accounts run the same statements; only the job looks the account up. */
export async function askForNewEmail(
  ctx: AppContext,
  form: ParsedOf<typeof askNewEmail>,
  { ip, lang, origin }: From,
): Promise<Record<string, never>> {
  const { recaptchaToken, recaptchaAction: _, user_id, email, order = null, text = null, ...proof } = form;
  if (!(await passesBotCheck(ctx, "LostMailbox", recaptchaToken, ip)))
    throw validationError({ recaptcha_token: "bot_check_failed" });
  const emailId = randomUUID();
  const asked: Asked = { userId: user_id, email, order, text, language: lang, origin, ...proof };
  const keyId = await ctx.encryption.keys.daily();
  const sealed = await ctx.encryption.encrypt(keyId, JSON.stringify(asked), jobContext(emailId));
  const encrypted = sealed.toString("base64");
  await ctx.rateLimits.consumeAll([
    [REQUESTS_PER_NETWORK, networkOf(ip)],
    [REQUESTS_PER_ACCOUNT, foldUserId(user_id)],
  ]);
  await withinEmailLimits(ctx, { email, ip, isKnownDevice: false }, (tx, isSilent) =>
    ctx.jobs.add(tx, "new_email_request", { emailId, encrypted, isSilent }),
  );
  return {};
}

export async function handleNewEmailRequest(
  ctx: AppContext,
  { emailId, encrypted, isSilent }: NewEmailJob,
): Promise<void> {
  const sealed = Buffer.from(encrypted, "base64");
  const asked = JSON.parse(await ctx.encryption.decrypt(sealed, jobContext(emailId))) as Asked;
  const member = await findMember(ctx, asked.userId);
  if (asked.response != null || asked.recovery_code != null) {
    await proveNewEmail(ctx, member?.memberId, asked, { emailId, isSilent });
    return;
  }
  await ctx.db.transaction().execute(async (tx) => {
    if (member) await storeRequest(tx, ctx, member.memberId, asked, emailId);
    if (isSilent) return;
    const job = await fixEmailTo(ctx, { to: asked.email, language: asked.language }, (t) => [
      t("newAddressAsked"),
      t("newAddressAskedNext", { days: String(MAILBOX_REQUESTS.days) }),
      t("ignore"),
    ]);
    await ctx.jobs.add(tx, "fixed_email", job);
  });
  notifySoon(ctx);
}

async function proveNewEmail(
  ctx: AppContext,
  memberId: number | undefined,
  asked: Asked,
  { emailId, isSilent }: { emailId: string; isSilent: boolean },
): Promise<void> {
  if (isSilent) return;
  const { email, origin } = asked;
  const proof =
    asked.response == null
      ? await proveRecoveryCode(ctx, memberId, asked.recovery_code ?? "")
      : await provePasskey(ctx, memberId ?? NO_MEMBER, asked.response, origin);
  await ctx.db.transaction().execute(async (tx) => {
    let isRight = proof !== null && memberId !== undefined;
    if (isRight && (await lockMember(tx, memberId!))) {
      await spendProof(tx, proof!);
      await rows.insertRequest(tx, {
        member_no: memberId!,
        request_id: emailId,
        state: "proven",
        asked_on: utcDay(ctx.clock.now()),
        confirm_until: ceilTo(new Date(ctx.clock.now().getTime() + CONFIRM_MS), HOUR_MS),
        encrypted_content: await encryptContent(ctx, memberId!, emailId, { email, order: null, text: "" }),
      });
    } else isRight = false;
    const job = await fixEmailTo(ctx, { to: email, language: asked.language }, (t, language) =>
      isRight
        ? [
            t("newAddressConfirm"),
            linkUrl(ctx, { origin, language }, { kind: "confirm", memberId: memberId!, requestId: emailId }),
            t("newAddressConfirmLife"),
            t("ignore"),
          ]
        : [t("newAddressWrong"), t("newAddressWrongNext"), t("ignore")],
    );
    await ctx.jobs.add(tx, "fixed_email", job);
  });
}

async function storeRequest(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  { email, order, text, origin }: Asked,
  requestId: string,
): Promise<void> {
  if (!(await lockMember(tx, memberId))) return;
  const now = ctx.clock.now();
  const yearAgo = utcDay(new Date(now.getTime() - RETENTION.mailboxRequestDays * DAY_MS));
  const counted = (await rows.readRequests(tx, memberId)).filter(
    ({ state, asked_on }) => state !== "proven" && asked_on > yearAgo,
  );
  const isOpen = counted.some(({ state }) => state === "open");
  if (isOpen || counted.length >= MAILBOX_REQUESTS.perYear) return;
  const row = {
    member_no: memberId,
    request_id: requestId,
    state: "open",
    asked_on: utcDay(now),
    told: 0,
    confirm_until: null,
    encrypted_content: await encryptContent(ctx, memberId, requestId, { email, order, text: text ?? "" }),
  } as const;
  await rows.insertRequest(tx, row);
  await tell(tx, ctx, row, origin);
}

async function tell(tx: Tx, ctx: AppContext, request: rows.RequestRow, origin: string): Promise<void> {
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

/** Returns false if it was not open, and not stopped before. Null for any. */
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

async function encryptContent(
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
