import { randomUUID } from "node:crypto";
import { MAILBOX_REQUESTS } from "@alcove/contract/limits";
import type { askNewEmail } from "@alcove/contract/mailboxes";
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
import { findMember, NO_MEMBER } from "../members/find-member.ts";
import { lockMember } from "../members/locks.ts";
import { foldUserId } from "../members/user-ids.ts";
import { notifySoon } from "../notifications/index.ts";
import { ceilTo, DAY_MS, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { validationError } from "../platform/errors.ts";
import { networkOf } from "../platform/security/client-network.ts";
import type { NewEmailJob } from "./events.ts";
import { linkUrl } from "./links.ts";
import { encryptContent, tell } from "./requests.ts";
import * as rows from "./requests.sql.ts";

const REQUESTS_PER_NETWORK = { name: "mailbox_requests_per_network", max: 5, windowMs: HOUR_MS };
const REQUESTS_PER_ACCOUNT = { name: "mailbox_requests_per_account", max: 10, windowMs: DAY_MS };
const CONFIRM_MS = HOUR_MS;

interface Asked extends ProofFields {
  readonly userId: string;
  readonly email: string;
  readonly order: string | null;
  readonly text: string | null;
  readonly language: Language;
  readonly origin: string;
}

const jobContext = (emailId: string): string => `jobs.new_email_request:${emailId}`;

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
