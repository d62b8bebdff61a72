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

/** Reads every shard. */
export async function readSubscriptionsAfter(
  db: Db,
  after: Pick<Subscription, "member_no" | "endpoint_digest">,
  limit: number,
): Promise<Pick<Subscription, "member_no" | "endpoint_digest" | "session_id">[]> {
  return db
    .selectFrom("push_subscriptions")
    .select(["member_no", "endpoint_digest", "session_id"])
    .where((where) =>
      where(
        where.refTuple("member_no", "endpoint_digest"),
        ">",
        where.tuple(after.member_no, after.endpoint_digest),
      ),
    )
    .orderBy("member_no")
    .orderBy("endpoint_digest")
    .limit(limit)
    .execute();
}
