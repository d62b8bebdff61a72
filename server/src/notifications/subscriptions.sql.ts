import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { NotificationsTables } from "./tables.ts";

export type Subscription = Selectable<NotificationsTables["push_subscriptions"]>;

/**
 * Returns the endpoint's previous owner, if another member. Of two concurrent calls, the later one keeps the endpoint.
 */
export async function assignEndpoint(
  tx: Tx,
  endpoint_digest: Buffer,
  member_no: number,
): Promise<number | null> {
  await tx
    .insertInto("push_endpoints")
    .values({ endpoint_digest, member_no })
    .onConflict((conflict) => conflict.column("endpoint_digest").doNothing())
    .execute();
  const row = await tx
    .selectFrom("push_endpoints")
    .select("member_no")
    .where("endpoint_digest", "=", endpoint_digest)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row || row.member_no === member_no) return null;
  await tx
    .updateTable("push_endpoints")
    .set({ member_no })
    .where("endpoint_digest", "=", endpoint_digest)
    .execute();
  return row.member_no;
}

export async function upsertSubscription(
  tx: Tx,
  row: Omit<Insertable<NotificationsTables["push_subscriptions"]>, "sequence_no">,
): Promise<void> {
  const { session_id, encrypted_subscription, language, attempts, retry_at } = row;
  await tx
    .insertInto("push_subscriptions")
    .values({ ...row, sequence_no: sql`nextval('push_subscription_sequence')` })
    .onConflict((conflict) =>
      conflict
        .columns(["member_no", "endpoint_digest"])
        .doUpdateSet({ session_id, encrypted_subscription, language, attempts, retry_at }),
    )
    .execute();
}

export async function updateLanguage(tx: Tx, memberId: number, language: string): Promise<void> {
  await tx.updateTable("push_subscriptions").set({ language }).where("member_no", "=", memberId).execute();
}

export async function readSubscriptions(db: Db, memberId: number): Promise<Subscription[]> {
  return db
    .selectFrom("push_subscriptions")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("sequence_no")
    .execute();
}

export async function updateSubscription(
  db: Db,
  { member_no, endpoint_digest }: Pick<Subscription, "member_no" | "endpoint_digest">,
  to: Updateable<NotificationsTables["push_subscriptions"]>,
): Promise<void> {
  await db
    .updateTable("push_subscriptions")
    .set(to)
    .where("member_no", "=", member_no)
    .where("endpoint_digest", "=", endpoint_digest)
    .execute();
}

export async function deleteSubscriptions(
  db: Db,
  memberId: number,
  digests: readonly Buffer[],
): Promise<void> {
  if (digests.length === 0) return;
  await db
    .deleteFrom("push_subscriptions")
    .where("member_no", "=", memberId)
    .where("endpoint_digest", "in", digests)
    .execute();
}

export async function deleteEndpoints(db: Db, memberId: number, digests: readonly Buffer[]): Promise<void> {
  if (digests.length === 0) return;
  await db
    .deleteFrom("push_endpoints")
    .where("endpoint_digest", "in", digests)
    .where("member_no", "=", memberId)
    .execute();
}

export async function readEndpointsOfSession(db: Db, memberId: number, session: string): Promise<Buffer[]> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .select("endpoint_digest")
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .execute();
  return rows.map(({ endpoint_digest }) => endpoint_digest);
}

/** Without a member, reads every shard. */
export async function readEndedSubscriptions(
  db: Db,
  now: Date,
  { memberId }: { memberId?: number } = {},
): Promise<Pick<Subscription, "member_no" | "endpoint_digest">[]> {
  return db
    .selectFrom("push_subscriptions as p")
    .select(["p.member_no", "p.endpoint_digest"])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sessions as s")
            .select("s.session_id")
            .whereRef("s.member_no", "=", "p.member_no")
            .whereRef("s.session_id", "=", "p.session_id")
            .where("s.ended_at", "is", null)
            .where("s.expires_at", ">", now),
        ),
      ),
    )
    .$if(memberId !== undefined, (query) => query.where("p.member_no", "=", memberId!))
    .execute();
}
