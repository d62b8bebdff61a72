import sharp from "sharp";
import { ageOn } from "@alcove/contract/fields";
import { createMember, findLogins, foldUserId, userIdDigest } from "../accounts/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./demo.sql.ts";
import { drawPortrait } from "./portrait.ts";
import type { SampleProfile } from "./sample-profiles.ts";
import { withUserIds } from "./user-ids.ts";

export interface SampleAccount {
  readonly me: CurrentMember;
  readonly profile: SampleProfile;
}

/** The others are created one at a time, to leave the machine to the visitor. */
const PARALLEL_ACCOUNTS = 40;
const LOG_EVERY = 50;

/**
 * Creates missing accounts in order. A visitor who signed up under a sample user id keeps it, and that profile gets no
 * account.
 */
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
  let created = 0;
  const createNext = async () => {
    const profile = missing.shift();
    const account = profile && (await createSampleAccount(ctx, profile));
    if (!account) return;
    onReady(account);
    if (++created % LOG_EVERY === 0)
      ctx.log.info({ created, missing: missing.length }, "creating sample members");
  };
  while (missing.length > 0 && !isStopped()) {
    await Promise.all(created < PARALLEL_ACCOUNTS ? [createNext(), createNext()] : [createNext()]);
  }
  if (created > 0 && !isStopped()) ctx.log.info({ created }, "all sample members created");
}

/** Returns null if the user id is taken. */
async function createSampleAccount(ctx: AppContext, profile: SampleProfile): Promise<SampleAccount | null> {
  const { userId, language, sex, hidesFace } = profile;
  const day = utcDay(ctx.clock.now());
  const form = profile.formOn(day);
  const portrait = drawPortrait(userId, { sex, age: ageOn(day, form.date_of_birth) });
  const png = await sharp(Buffer.from(portrait)).png().toBuffer();
  try {
    const { memberId } = await createMember(ctx, {
      userId,
      password: null,
      email: null,
      language,
      profile: form,
      icon: new File([new Uint8Array(png)], "portrait.png", { type: "image/png" }),
      iconProcess: hidesFace,
    });
    return { me: currentMember(memberId, userId), profile };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Sample members call the services directly and need no session. */
const currentMember = (memberId: number, userId: string): CurrentMember => ({
  memberId,
  userId,
  session: "",
});
