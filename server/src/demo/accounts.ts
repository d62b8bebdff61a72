import sharp from "sharp";
import { ageOn } from "@alcove/contract/fields";
import { createMember } from "../accounts/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import type { Role } from "./sample-profiles.ts";
import * as rows from "./demo.sql.ts";
import { drawPortrait } from "./portrait.ts";

/** An invented member that exists. */
export interface Player {
  readonly me: CurrentMember;
  readonly role: Role;
}

/** So many come two at a time; the others one at a time, which leaves the machine to the visitor. */
const IN_A_HURRY = 40;
const TOLD_EVERY = 50;

/**
 * Finds the players of a cast and makes those who are missing, in its order. `isOver` is asked before each.
 *
 * A user id of the cast that a visitor has taken stays the visitor's, and nobody plays that role.
 */
export async function gatherPlayers(
  ctx: AppContext,
  cast: readonly Role[],
  { join, isOver }: { join: (player: Player) => void; isOver: () => boolean },
): Promise<void> {
  const roles = new Map(cast.map((role) => [role.userId.toLowerCase(), role]));
  const logins = await rows.readLogins(ctx.db, [...roles.keys()]);
  const known = await rows.readMembers(
    ctx.db,
    logins.map(({ memberId }) => memberId),
  );
  for (const { memberId, userId, isInvented } of known) {
    const role = roles.get(userId.toLowerCase());
    if (role && isInvented) join({ me: meOf(memberId, userId), role });
  }

  const taken = new Set(known.map(({ userId }) => userId.toLowerCase()));
  const missing = cast.filter(({ userId }) => !taken.has(userId.toLowerCase()));
  let made = 0;
  const makeNext = async () => {
    const role = missing.shift();
    const player = role && (await makePlayer(ctx, role));
    if (!player) return;
    join(player);
    if (++made % TOLD_EVERY === 0) ctx.log.info({ made, missing: missing.length }, "inventing members");
  };
  while (missing.length > 0 && !isOver()) {
    await Promise.all(made < IN_A_HURRY ? [makeNext(), makeNext()] : [makeNext()]);
  }
  if (made > 0 && !isOver()) ctx.log.info({ made }, "all invented members are here");
}

/** Null when the user id is somebody else's. */
async function makePlayer(ctx: AppContext, role: Role): Promise<Player | null> {
  const { userId, language, sex, hidesFace } = role;
  const day = utcDay(ctx.clock.now());
  const profile = role.profileOn(day);
  const portrait = drawPortrait(userId, { sex, age: ageOn(day, profile.date_of_birth) });
  const png = await sharp(Buffer.from(portrait)).png().toBuffer();
  try {
    const { memberId } = await createMember(ctx, {
      userId,
      password: null,
      email: null,
      language,
      profile,
      icon: new File([new Uint8Array(png)], "portrait.png", { type: "image/png" }),
      iconProcess: hidesFace,
    });
    return { me: meOf(memberId, userId), role };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Players act through the functions behind the calls, and need no session for those. */
const meOf = (memberId: number, userId: string): CurrentMember => ({ memberId, userId, session: "" });
