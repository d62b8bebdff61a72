import { randomUUID } from "node:crypto";
import { languageOf } from "@alcove/i18n";
import { drawLetter, lastUseOf, mailingOf } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Deps } from "../platform/deps.ts";
import { translator } from "../platform/language.ts";
import { refuse } from "../platform/refuse.ts";
import { SealBroken } from "../platform/sealing.ts";
import { AWAY_MS } from "./news.ts";
import * as notices from "./notices.sql.ts";
import { isNewsLeft } from "./pushes.ts";
import { quietEnd } from "./quiet.ts";

interface DigestJob {
  letterId: string;
  no: number;
}

declare module "../platform/jobs.ts" {
  interface JobPayloads {
    /** The letter that there is something new. */
    digest_letter: DigestJob;
  }
}

const AT_ONCE = 200;
const TOKEN = "letters.unsubscribe";

/** Queues the letters that are due: to members who have been away, who have not seen something, at most one a day. */
export async function writeDue(deps: Deps): Promise<void> {
  for (const no of await notices.membersToWrite(deps.db, deps.clock.now(), AT_ONCE)) await writeTo(deps, no);
}

async function writeTo(deps: Deps, no: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const notice = await notices.lockFreeNotice(tx, no);
    if (!notice?.letter_due_at || notice.letter_due_at > now) return;
    if (!notice.digest || !(await isNewsLeft(tx, notice))) {
      await notices.updateNotice(tx, no, { letter_due_at: null });
      return;
    }
    const lastUse = await lastUseOf(tx, no);
    const notBefore = Math.max(
      lastUse ? lastUse.getTime() + AWAY_MS : 0,
      notice.lettered_at ? notice.lettered_at.getTime() + DAY_MS : 0,
    );
    const later = notBefore > now.getTime() ? new Date(notBefore) : quietEnd(notice, now);
    if (later) {
      await notices.updateNotice(tx, no, { letter_due_at: later });
      return;
    }
    await deps.jobs.add(tx, "digest_letter", { letterId: randomUUID(), no });
    await notices.updateNotice(tx, no, { letter_due_at: null, lettered_at: now });
  });
}

/** Sends the letter in the member's language; not to who has ended them, was suspended, or is gone by now. */
export async function sendDigest(deps: Deps, { letterId, no }: DigestJob): Promise<void> {
  const notice = await notices.readNotice(deps.db, no);
  const mailing = await mailingOf(deps, no);
  if (!notice?.digest || !mailing?.isActive) return;
  const language = languageOf(mailing.language);
  const t = translator(language, "emails");
  const origin = originOf(deps);
  const link = unsubscribeLink(deps, no, origin, language);
  const brand = deps.settings.brandName;
  const paragraphs = [
    translator(language, "notifications")("somethingNew"),
    `${origin}/${language}`,
    t("digestWhy"),
    link,
  ];
  const subject = t("accountSubject", { brand });
  const { text, html } = drawLetter({ language, brand, paragraphs, code: null });
  await deps.mail.send({ to: mailing.to, messageId: letterId, subject, text, html, unsubscribe: link });
}

/**
 * Ends the letters of whoever a token was made for. It needs no login and never grows old: whoever has the letter may
 * end the letters, and can do nothing else with it.
 */
export async function endLetters(deps: Deps, token: string): Promise<void> {
  const no = readToken(deps, token);
  if (no === null) throw refuse("not_found");
  await deps.db.transaction().execute(async (tx) => {
    await notices.updateNotice(tx, no, { digest: false, letter_due_at: null });
    await notices.updateListens(tx, no);
  });
}

/** The number never leaves the server: it is sealed, which signs it too. */
function unsubscribeLink(deps: Deps, no: number, origin: string, language: string): string {
  const token = deps.sealing.seal(String(no), TOKEN).toString("base64url");
  return `${origin}/${language}/unsubscribe?token=${token}`;
}

function readToken({ sealing }: Deps, token: string): number | null {
  try {
    return Number(sealing.open(Buffer.from(token, "base64url"), TOKEN));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function originOf({ settings }: Deps): string {
  return settings.publicUrl ?? `http://${settings.host}:${settings.port}`;
}
