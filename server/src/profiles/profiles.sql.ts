import { type Insertable, sql, type Updateable } from "kysely";
import type { CorrectionState } from "@alcove/contract/users";
import { selectMembers } from "../members/select-members.sql.ts";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import { batchedLookup } from "../platform/db/batched-lookup.ts";
import { nonceIn } from "../platform/keys/data-keys.sql.ts";
import { type Album, picturesOf } from "./album.ts";
import type { ProfilesTables } from "./tables.ts";

export async function insertProfile(db: Db, profile: Insertable<ProfilesTables["profiles"]>): Promise<void> {
  await db.insertInto("profiles").values(profile).execute();
}

const selectPeople = (db: Db, memberIds: readonly number[]) =>
  db
    .selectFrom("profiles")
    .select(["member_no", "is_suspended", "icon_media", "icon_process", "clear_icon_media", "more_pictures"])
    .select(["sex", "search_sex", "search_range_unit", "search_min_range", "search_max_range"])
    .select(["search_min_age", "search_max_age", "cell", "is_paused", "only_liked", "waiting_media"])
    .select(sql<boolean>`limited_until is not null`.as("is_limited"))
    .select(sql<boolean>`encrypted_areas is not null`.as("has_areas"))
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`);

export type PersonRow = Awaited<ReturnType<ReturnType<typeof selectPeople>["executeTakeFirstOrThrow"]>>;

const encryptedPeopleQuery = (db: Db, memberIds: readonly number[]) =>
  selectPeople(db, memberIds).select("encrypted_profile").compile();

export const readEncryptedPerson = batchedLookup(
  async (db, memberIds: number[]) =>
    new Map((await runPrepared(db, encryptedPeopleQuery(db, memberIds))).map((row) => [row.member_no, row])),
);

const peopleQuery = (db: Db, memberIds: readonly number[]) =>
  selectPeople(db, memberIds).select(nonceIn("encrypted_profile").as("profile_nonce")).compile();

/** Encrypted columns are most of a row. */
export const readPerson = batchedLookup(
  async (db, memberIds: number[]) =>
    new Map((await runPrepared(db, peopleQuery(db, memberIds))).map((row) => [row.member_no, row])),
);

const ofNewestCardDay = <Value>(memberId: number, column: "day_start" | "cards_used") => sql<Value | null>`(
  select ${sql.ref(column)} from quota_days q where q.member_no = ${memberId}::int8 and q.cards_used > 0
  order by q.day_start desc limit 1)`;

/** The one that waits comes first. */
const newestCorrection = (memberId: number) => sql<CorrectionState | null>`(
  select c.state from corrections c where c.member_no = ${memberId}::int8
  order by (c.state = 'waiting') desc, c.changed_on desc limit 1)`;

/** Each subquery names the member, so that a cluster asks one shard. */
export function readOwnProfile(db: Db, memberId: number) {
  return selectMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .leftJoin("memberships as s", "s.member_no", "m.member_no")
    .select(["m.encrypted_user_id", "m.encrypted_email", "m.brokerage_percentage", "s.encrypted_paid_until"])
    .select(["m.terms_version", "m.privacy_version", "m.age_checked_on", "m.logins_stopped"])
    .select((own) =>
      own
        .exists(
          own
            .selectFrom("mailbox_requests as r")
            .select("r.request_id")
            .where("r.member_no", "=", memberId)
            .where("r.state", "=", "open"),
        )
        .as("is_new_email_asked"),
    )
    .select(sql<boolean>`m.password_hash is not null`.as("has_password"))
    .select(newestCorrection(memberId).as("correction"))
    .select(ofNewestCardDay<Date>(memberId, "day_start").as("used_day_start"))
    .select(ofNewestCardDay<number>(memberId, "cards_used").as("cards_used"))
    .select(
      sql<boolean>`exists (select from passkeys k where k.member_no = ${memberId}::int8)`.as("has_passkey"),
    )
    .selectAll("p")
    .where("m.member_no", "=", memberId)
    .executeTakeFirst();
}

export function lockFilter(db: Db, memberId: number) {
  return db
    .selectFrom("profiles")
    .select([
      "search_sex",
      "search_range_unit",
      "search_min_range",
      "search_max_range",
      "search_min_age",
      "search_max_age",
    ])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export function lockProfile(tx: Tx, memberId: number) {
  return tx
    .selectFrom("profiles")
    .select("encrypted_profile")
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateProfile(tx: Tx, memberId: number, encryptedProfile: Buffer): Promise<void> {
  await tx
    .updateTable("profiles")
    .set({ encrypted_profile: encryptedProfile })
    .where("member_no", "=", memberId)
    .execute();
}

/** @param answer_ends_on the day when the reply to the week's question is gone */
export async function updateNotes(
  tx: Tx,
  memberId: number,
  columns: { encrypted_profile: Buffer; answer_ends_on: string | null },
): Promise<void> {
  await tx.updateTable("profiles").set(columns).where("member_no", "=", memberId).execute();
}

export async function findAnswersUntil(db: Db, day: string): Promise<number[]> {
  const query = db.selectFrom("profiles").select("member_no").where("answer_ends_on", "<=", day);
  return (await query.execute()).map(({ member_no }) => member_no);
}

const selectAlbum = (db: Db, memberId: number) =>
  db
    .selectFrom("profiles")
    .select(["icon_media", "icon_process", "clear_icon_media", "more_pictures"])
    .where("member_no", "=", memberId);

export function readAlbum(db: Db, memberId: number): Promise<Album | undefined> {
  return selectAlbum(db, memberId).executeTakeFirst();
}

export function lockAlbum(tx: Tx, memberId: number): Promise<Album | undefined> {
  return selectAlbum(tx, memberId).forNoKeyUpdate().executeTakeFirst();
}

/** @param waiting added pictures that an operator looks at first; earlier ones wait on while they are in the album */
export async function updateAlbum(
  tx: Tx,
  memberId: number,
  album: Album,
  waiting: readonly string[],
): Promise<void> {
  const columns = { ...album, more_pictures: JSON.stringify(album.more_pictures) };
  const icons = picturesOf(album).map(({ media }) => media);
  const waiting_media = sql<string[]>`array(
    select distinct media from unnest(waiting_media || ${waiting}::uuid[]) as media
    where media = any(${icons}::uuid[]))`;
  await tx
    .updateTable("profiles")
    .set({ ...columns, waiting_media })
    .where("member_no", "=", memberId)
    .execute();
}

export async function endWaiting(tx: Tx, memberId: number, mediaId: string): Promise<void> {
  await tx
    .updateTable("profiles")
    .set({ waiting_media: sql<string[]>`array_remove(waiting_media, ${mediaId}::uuid)` })
    .where("member_no", "=", memberId)
    .execute();
}

export async function updateSuspended(tx: Tx, memberId: number, isSuspended: boolean): Promise<void> {
  const columns = { is_suspended: isSuspended };
  await tx.updateTable("profiles").set(columns).where("member_no", "=", memberId).execute();
}

export async function updateSearch(
  db: Db,
  memberId: number,
  change: Omit<Updateable<ProfilesTables["profiles"]>, "member_no">,
): Promise<void> {
  await db.updateTable("profiles").set(change).where("member_no", "=", memberId).execute();
}
