import { endOf } from "@alcove/contract/calendar";
import { ageOn, shownAgeOn } from "@alcove/contract/fields";
import type { Party, PublicUser, RangeUnit, User } from "@alcove/contract/users";
import { consentRequiredFrom, type Versions } from "../members/legal-versions.ts";
import { decryptUserId } from "../members/user-ids.ts";
import { clearIconUrl, exportedName, iconUrl } from "../media/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, Viewer } from "../platform/context.ts";
import { centreOf } from "../platform/lib/packed-cell.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { decryptTerm } from "../platform/security/exact-time.ts";
import { picturesOf } from "./album.ts";
import { cardDay, type CardDays } from "./card-day.ts";
import type { Person } from "./load-people.ts";
import { presentNotes, type Reader } from "./notes.ts";
import * as rows from "./profiles.sql.ts";
import { decryptProfileText } from "./profile-text.ts";
import type { StoredPicture } from "./tables.ts";

export async function presentOwnUser(ctx: AppContext, me: Viewer, db: Db = ctx.db): Promise<User> {
  const { memberId } = me;
  const own = await rows.readOwnProfile(db, memberId);
  if (!own) throw new ApiError("login_required"); // deleted since the request began
  const userId = await decryptUserId(ctx.encryption, memberId, own.encrypted_user_id);
  const pictures = picturesOf(own);
  const now = ctx.clock.now();
  const term =
    own.encrypted_paid_until &&
    (await decryptTerm(
      ctx.encryption,
      own.encrypted_paid_until,
      `memberships.encrypted_paid_until:${memberId}`,
    ));
  const running = term && endOf(term) > now ? term : null;
  const { notes, ...text } = await decryptProfileText(ctx.encryption, memberId, own.encrypted_profile);
  const user: User = {
    ...text,
    user_id: userId,
    has_password: own.has_password,
    has_passkey: own.has_passkey,
    email: own.encrypted_email
      ? await ctx.encryption.decrypt(own.encrypted_email, `members.encrypted_email:${memberId}`)
      : "",
    icon: iconUrl(ctx, me, { memberId, iconMedia: own.icon_media }),
    icon_process: own.icon_process,
    ...presentPictures(ctx, me, memberId, pictures),
    pictures_process: pictures.length > 0 ? pictures.map(({ process }) => process) : [own.icon_process],
    pictures_waiting:
      pictures.length > 0 ? pictures.map(({ media }) => own.waiting_media.includes(media)) : [false],
    ...presentClearPictures(ctx, me, { memberId, pictures }),
    sex: own.sex,
    age: ageOn(utcDay(now), text.date_of_birth),
    status: running ? "paid" : "free",
    paid_account_expired_at: running && endOf(running).toISOString(),
    paid_account_term: running && {
      started_at: running.start.toISOString(),
      months: running.months,
      time_zone: running.timeZone,
    },
    brokerage_fee_percentage: own.brokerage_percentage ?? ctx.config.brokeragePercentage,
    search_sex: own.search_sex,
    search_range_unit: own.search_range_unit,
    search_min_range: own.search_min_range,
    search_max_range: own.search_max_range,
    search_min_age: own.search_min_age,
    search_max_age: own.search_max_age,
    location: own.sent_cell === null ? null : locationOf(own.sent_cell),
    gps_updated_at: own.gps_updated_at?.toISOString() ?? null,
    location_precision: own.location_precision,
    consent_due: consentRequiredFrom(ctx.config, agreedIn(own), utcDay(now)) !== null,
    age_checked: own.age_checked_on !== null,
    email_choice_due: own.logins_stopped,
    new_email_asked: own.is_new_email_asked === true,
    paused: own.is_paused,
    paused_until: own.paused_until,
    only_liked: own.only_liked,
    correction: own.correction,
    posts: presentNotes(ctx, { memberId, notes }, "author"),
    arrival: own.arrival,
    arrival_zone: own.arrival_zone,
    card_arrives_at: running ? null : nextCardAt(ctx, own),
  };
  return me.isForPurchases ? withoutPersonalData(ctx, me, user) : user;
}

function nextCardAt(
  ctx: AppContext,
  own: CardDays & { used_day_start: Date | null; cards_used: number | null },
): string | null {
  const { start, end } = cardDay(ctx, own);
  const isOfToday = own.used_day_start?.getTime() === start.getTime();
  return isOfToday && own.cards_used! >= ctx.config.freeCardsPerDay ? end.toISOString() : null;
}

const agreedIn = (own: { terms_version: string; privacy_version: string }): Versions => ({
  terms: own.terms_version,
  privacy: own.privacy_version,
});

/** A browser that the app's code logged in shows account and membership only. */
function withoutPersonalData(ctx: AppContext, { memberId, session }: Viewer, user: User): User {
  return {
    ...user,
    email: "",
    icon: iconUrl(ctx, { memberId, session }, { memberId, iconMedia: null }),
    pictures: [],
    pictures_process: [],
    pictures_waiting: [],
    clear_icon: null,
    clear_pictures: [],
    date_of_birth: "",
    age: 0,
    description: "",
    purpose: null,
    hobby: null,
    twitter: null,
    instagram: null,
    facebook: null,
    line: null,
    location: null,
    gps_updated_at: null,
    correction: null,
    posts: [],
    arrival: null,
    arrival_zone: null,
    card_arrives_at: null,
  };
}

function locationOf(cell: number): [longitude: number, latitude: number] {
  const { longitude, latitude } = centreOf(cell);
  return [longitude, latitude];
}

/** The export names pictures by their files. */
export async function exportProfile(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const user = await presentOwnUser(ctx, me, tx);
  const own = await rows.readOwnProfile(tx, me.memberId);
  const nameOf = (mediaId: string | null | undefined) => (mediaId ? exportedName(mediaId) : null);
  const stored = own ? picturesOf(own) : [];
  const pictures = stored.map(({ media }) => nameOf(media));
  const clear_pictures = stored.map(({ clear }) => nameOf(clear));
  const [icon = null, clear_icon = null] = [pictures[0], clear_pictures[0]];
  const { posts, ...fields } = user;
  return {
    values: {
      user: { ...fields, icon, pictures, clear_icon, clear_pictures },
      posts: posts.map(({ text, visibility, kind, day }) => ({ text, visibility, kind, day })),
    },
  };
}

function presentPictures(
  ctx: AppContext,
  viewer: Viewer,
  memberId: number,
  pictures: readonly StoredPicture[],
): Pick<PublicUser, "pictures"> {
  const shown = pictures.length > 0 ? pictures.map(({ media }) => media) : [null];
  return { pictures: shown.map((iconMedia) => iconUrl(ctx, viewer, { memberId, iconMedia })) };
}

/** Only for the member and their chosen matches. */
export function presentClearPictures(
  ctx: AppContext,
  viewer: Viewer,
  { memberId, pictures }: Pick<Person, "memberId" | "pictures">,
): Pick<PublicUser, "clear_icon" | "clear_pictures"> {
  const kept = pictures.length > 0 ? pictures.map(({ clear }) => clear) : [null];
  const urls = kept.map((clearIconMedia) => clearIconUrl(ctx, viewer, { memberId, clearIconMedia }));
  return { clear_icon: urls[0] ?? null, clear_pictures: urls };
}

export function presentParty(ctx: AppContext, viewer: Viewer, person: Person): Party {
  return { user_id: person.userId, username: person.username, icon: iconUrl(ctx, viewer, person) };
}

interface Shown {
  /** Upper end of the distance band in the viewer's unit, if the viewer may see it. */
  readonly distance: number | null;
  readonly reader: Reader;
}

export function presentPublicUser(
  ctx: AppContext,
  viewer: Viewer & { unit: RangeUnit },
  person: Person,
  { distance, reader }: Shown,
): PublicUser {
  return {
    ...presentParty(ctx, viewer, person),
    icon_process: person.iconProcess,
    ...presentPictures(ctx, viewer, person.memberId, person.pictures),
    clear_icon: null,
    clear_pictures: (person.pictures.length > 0 ? person.pictures : [null]).map(() => null),
    sex: person.sex,
    age: shownAgeOn(utcDay(ctx.clock.now()), person.dateOfBirth),
    description: person.description,
    how_long_married: person.how_long_married,
    how_long_married_unit: person.how_long_married_unit,
    tall: person.tall,
    tall_unit: person.tall_unit,
    weight: person.weight,
    weight_unit: person.weight_unit,
    salary: person.salary,
    salary_unit: person.salary_unit,
    salary_duration: person.salary_duration,
    purpose: person.purpose,
    hobby: person.hobby,
    twitter: person.twitter,
    instagram: person.instagram,
    facebook: person.facebook,
    line: person.line,
    distance,
    distance_unit: viewer.unit,
    posts: presentNotes(ctx, person, reader),
  };
}
