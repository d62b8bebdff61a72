import sharp from "sharp";
import { ageOn } from "@alcove/contract/fields";
import { createMember } from "../accounts/index.ts";
import { findLogins } from "../members/user-ids.sql.ts";
import { foldUserId, userIdDigest } from "../members/user-ids.ts";
import { addNote } from "../notes/index.ts";
import { addPicture } from "../profiles/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./demo.sql.ts";
import { DRAWN_FACE, drawPortrait, drawView } from "./portrait.ts";
import type { SampleProfile } from "./sample-profiles.ts";
import { withUserIds } from "./user-ids.ts";

export interface SampleAccount {
  readonly me: CurrentMember;
  readonly profile: SampleProfile;
}

/** Later accounts are created one at a time, to leave the machine to the visitor. */
const PARALLEL_ACCOUNTS = 40;
const LOG_EVERY = 50;

/** A visitor who signed up under a sample user id keeps it; that profile gets no account. */
export async function ensureSampleAccounts(
  ctx: AppContext,
  profiles: readonly SampleProfile[],
  { onReady, isStopped }: { onReady: (account: SampleAccount) => void; isStopped: () => boolean },
): Promise<void> {
  const byUserId = new Map(profiles.map((profile) => [foldUserId(profile.userId), profile]));
  const digests = [...byUserId.keys()].map((userId) => userIdDigest(ctx.encryption, userId));
  const logins = await findLogins(ctx.db, digests);
  const memberIds = logins.map(({ member_no }) => member_no);
  const existing = await withUserIds(ctx, await rows.readMembers(ctx.db, memberIds));
  for (const { memberId, userId, isSample } of existing) {
    const profile = byUserId.get(foldUserId(userId));
    if (profile && isSample) onReady({ me: currentMember(memberId, userId), profile });
  }

  const taken = new Set(existing.map(({ userId }) => foldUserId(userId)));
  const missing = profiles.filter(({ userId }) => !taken.has(foldUserId(userId)));
  const created: SampleAccount[] = [];
  const createNext = async () => {
    const profile = missing.shift();
    const account = profile && (await createSampleAccount(ctx, profile));
    if (!account) return;
    onReady(account);
    if (created.push(account) % LOG_EVERY === 0)
      ctx.log.info({ created: created.length, missing: missing.length }, "creating sample members");
  };
  while (missing.length > 0 && !isStopped()) {
    await Promise.all(created.length < PARALLEL_ACCOUNTS ? [createNext(), createNext()] : [createNext()]);
  }
  for (const account of created) {
    if (isStopped()) return;
    await addPicturesAndNotes(ctx, account);
  }
  if (created.length > 0) ctx.log.info({ created: created.length }, "all sample members created");
}

/** Returns null if the user id is taken. */
async function createSampleAccount(ctx: AppContext, profile: SampleProfile): Promise<SampleAccount | null> {
  const { userId, language, sex, hidesFace } = profile;
  const day = utcDay(ctx.clock.now());
  const form = profile.formOn(day);
  const portrait = drawPortrait(userId, { sex, age: ageOn(day, form.date_of_birth) });
  try {
    const { memberId } = await createMember(seeingDrawnFaces(ctx), {
      userId,
      password: null,
      email: null,
      language,
      profile: form,
      icon: await pngOf(portrait),
      iconProcess: hidesFace,
    });
    return { me: currentMember(memberId, userId), profile };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Runs after all accounts exist, so that a visitor does not wait for it. */
async function addPicturesAndNotes(ctx: AppContext, { me, profile }: SampleAccount): Promise<void> {
  const { userId, sex, hidesFace, pictures } = profile;
  const day = utcDay(ctx.clock.now());
  const age = ageOn(day, profile.formOn(day).date_of_birth);
  const more = [
    { drawn: drawPortrait(userId, { sex, age, isElsewhere: true }), icon_process: hidesFace },
    { drawn: drawView(userId), icon_process: false },
  ];
  for (const { drawn, icon_process } of more.slice(0, pictures - 1))
    await addPicture(seeingDrawnFaces(ctx), me, { icon: await pngOf(drawn), icon_process });
  for (const text of profile.notes) await addNote(ctx, me, { text, visibility: "public" });
}

/** The detector finds no drawn face. All portraits have it at about the same place. */
function seeingDrawnFaces(ctx: AppContext): AppContext {
  const face = { by: "thorough", quarters: 0, score: 1, ...DRAWN_FACE } as const;
  return { ...ctx, faceDetector: { detect: () => Promise.resolve([face]), close: () => undefined } };
}

async function pngOf(svg: string): Promise<File> {
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return new File([new Uint8Array(png)], "picture.png", { type: "image/png" });
}

/** Sample members call the services directly and need no session. */
const currentMember = (memberId: number, userId: string): CurrentMember => ({
  memberId,
  userId,
  session: "",
  isForPurchases: false,
  consentRequiredFrom: null,
  isAgeChecked: true,
  isSuspended: false,
});
