import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { OrderState, MembershipTables } from "./tables.ts";

export type OrderRow = Selectable<MembershipTables["orders"]>;
export type OrderKey = Pick<OrderRow, "member_no" | "order_id">;
type RefKind = MembershipTables["paypal_refs"]["kind"];

export async function insertOrder(tx: Tx, order: Insertable<MembershipTables["orders"]>): Promise<void> {
  await tx.insertInto("orders").values(order).execute();
}

/** One look-up by primary key. */
export async function findOrder(db: Db, { member_no, order_id }: OrderKey): Promise<OrderRow | null> {
  const row = await db
    .selectFrom("orders")
    .selectAll()
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the order. The rows of its member come before it. */
export async function lockOrder(tx: Tx, { member_no, order_id }: OrderKey): Promise<OrderRow | null> {
  const row = await tx
    .selectFrom("orders")
    .selectAll()
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** A member's orders in one of these states, the newest first: a range of the key. */
export async function readOrders(
  db: Db,
  memberId: number,
  states: readonly OrderState[] | null = null,
): Promise<OrderRow[]> {
  return db
    .selectFrom("orders")
    .selectAll()
    .where("member_no", "=", memberId)
    .$if(states !== null, (query) => query.where("state", "in", states!))
    .orderBy("order_id", "desc")
    .execute();
}

/** Says that PayPal is being asked for the money, unless it was taken before. */
export async function beginCapture(
  db: Db,
  { member_no, order_id }: OrderKey,
  look_at: Date,
): Promise<OrderRow | null> {
  const row = await db
    .updateTable("orders")
    .set({ state: "capturing", look_at })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("state", "in", ["created", "declined", "capturing"])
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Says that PayPal did nothing at a request, unless more is known by now; the next request has a new id. */
export async function endCapture(
  db: Db,
  { member_no, order_id, request_no }: OrderRow,
  state: "created" | "declined",
  look_at: Date,
): Promise<void> {
  await db
    .updateTable("orders")
    .set({ state, look_at, request_no: request_no + 1 })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("state", "=", "capturing")
    .where("request_no", "=", request_no)
    .execute();
}

export async function updateOrder(
  db: Db,
  { member_no, order_id }: OrderKey,
  change: Updateable<MembershipTables["orders"]>,
): Promise<void> {
  await db
    .updateTable("orders")
    .set(change)
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .execute();
}

/** Puts off the next look at an order, if it was due. */
export async function putOff(db: Db, { member_no, order_id }: OrderKey, now: Date, to: Date): Promise<void> {
  await db
    .updateTable("orders")
    .set({ look_at: to })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("look_at", "<=", now)
    .execute();
}

/** Looks at an order that waits for its buyer no later than `at`. */
export async function bringForward(db: Db, { member_no, order_id }: OrderKey, at: Date): Promise<void> {
  await db
    .updateTable("orders")
    .set({ look_at: at })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("state", "=", "created")
    .where("look_at", ">", at)
    .execute();
}

/** The orders that are to be looked at, the longest due first, by `orders_look_at`. For the job alone: over all members. */
export async function readDue(db: Db, now: Date, limit: number): Promise<OrderKey[]> {
  return db
    .selectFrom("orders")
    .select(["member_no", "order_id"])
    .where("look_at", "<=", now)
    .orderBy("look_at")
    .limit(limit)
    .execute();
}

/** Over all members: for the operator alone. */
export async function readLatest(db: Db, limit: number): Promise<OrderRow[]> {
  return db.selectFrom("orders").selectAll().orderBy("order_id", "desc").limit(limit).execute();
}

/** Forgets an order for which nothing was paid, if that still holds. */
export async function deleteUnpaid(tx: Tx, { member_no, order_id }: OrderKey): Promise<boolean> {
  const row = await tx
    .deleteFrom("orders")
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("state", "in", ["created", "declined"])
    .returning("order_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOrdersOf(tx: Tx, memberId: number): Promise<OrderRow[]> {
  return tx.deleteFrom("orders").where("member_no", "=", memberId).returningAll().execute();
}

export async function insertRef(tx: Tx, ref: MembershipTables["paypal_refs"]): Promise<void> {
  await tx
    .insertInto("paypal_refs")
    .values(ref)
    .onConflict((conflict) => conflict.columns(["paypal_id", "kind"]).doNothing())
    .execute();
}

/** One look-up by primary key: whose order PayPal means. */
export async function findRef(db: Db, kind: RefKind, paypalId: string) {
  const row = await db
    .selectFrom("paypal_refs")
    .select(["member_no", "order_id"])
    .where("paypal_id", "=", paypalId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteRefs(tx: Tx, paypalIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("paypal_refs")
    .where("paypal_id", "=", sql<string>`any(${paypalIds}::text[])`)
    .execute();
}
