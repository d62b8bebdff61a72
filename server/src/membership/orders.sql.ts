import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { nextNumber } from "../platform/db/sequences.sql.ts";
import type { MembershipTables } from "./tables.ts";

export type OrderRow = Selectable<MembershipTables["orders"]>;
export type PayPalOrderRow = OrderRow & { readonly paypal_order_id: string };
export type OrderKey = Pick<OrderRow, "member_no" | "order_id">;
type RefKind = MembershipTables["paypal_refs"]["kind"];

export async function insertOrder(tx: Tx, order: Insertable<MembershipTables["orders"]>): Promise<void> {
  await tx.insertInto("orders").values(order).execute();
}

export async function nextReceiptNumber(tx: Tx, now: Date): Promise<string> {
  const no = await nextNumber(tx, "receipt_sequence");
  return `${now.getUTCFullYear()}-${String(no).padStart(6, "0")}`;
}

export async function findOrder(db: Db, { member_no, order_id }: OrderKey): Promise<OrderRow | null> {
  const row = await db
    .selectFrom("orders")
    .selectAll()
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .executeTakeFirst();
  return row ?? null;
}

export function isAtPayPal(order: OrderRow): order is PayPalOrderRow {
  return order.paypal_order_id !== null;
}

export async function countOpenBankOrders(db: Db, memberId: number, oldest: string): Promise<number> {
  const { count } = await db
    .selectFrom("orders")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("member_no", "=", memberId)
    .where("kind", "=", "bank")
    .where("state", "=", "created")
    .where("order_id", ">=", oldest)
    .executeTakeFirstOrThrow();
  return count;
}

/** Unpaid ones. Reads every shard: for a job only. */
export async function deleteBankOrdersBefore(tx: Tx, oldest: string): Promise<OrderRow[]> {
  return tx
    .deleteFrom("orders")
    .where("kind", "=", "bank")
    .where("state", "=", "created")
    .where("order_id", "<", oldest)
    .returningAll()
    .execute();
}

/** Unpaid ones, and those to pay back, oldest first. Reads every shard: for the operator only. */
export async function readOpenBankOrders(db: Db): Promise<OrderRow[]> {
  return db
    .selectFrom("orders")
    .selectAll()
    .where("kind", "=", "bank")
    .where((is) => is.or([is("state", "=", "created"), is("withdrawal_state", "=", "pending")]))
    .orderBy("order_id")
    .execute();
}

/** NOTE: lock the member first (members/locks.ts). */
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

export async function readOrders(db: Db, memberId: number): Promise<OrderRow[]> {
  return db
    .selectFrom("orders")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("order_id", "desc")
    .execute();
}

/** Returns null if the order was already paid. */
export async function beginCapture(
  db: Db,
  { member_no, order_id }: PayPalOrderRow,
  next_poll_at: Date,
): Promise<OrderRow | null> {
  const row = await db
    .updateTable("orders")
    .set({ state: "capturing", next_poll_at })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("state", "in", ["created", "declined", "capturing"])
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Records a definite rejection, unless another process has recorded more. The next capture gets a new request id. */
export async function endCapture(
  db: Db,
  { member_no, order_id, request_no }: OrderRow,
  state: "created" | "declined",
  next_poll_at: Date,
): Promise<void> {
  await db
    .updateTable("orders")
    .set({ state, next_poll_at, request_no: request_no + 1 })
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

export async function postponePoll(
  db: Db,
  { member_no, order_id }: OrderKey,
  now: Date,
  to: Date,
): Promise<void> {
  await db
    .updateTable("orders")
    .set({ next_poll_at: to })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("next_poll_at", "<=", now)
    .execute();
}

export async function pollBy(db: Db, { member_no, order_id }: OrderKey, at: Date): Promise<void> {
  await db
    .updateTable("orders")
    .set({ next_poll_at: at })
    .where("member_no", "=", member_no)
    .where("order_id", "=", order_id)
    .where("state", "=", "created")
    .where("next_poll_at", ">", at)
    .execute();
}

/** Reads every shard, by index `orders_next_poll_at`. */
export async function findDueOrders(db: Db, now: Date, limit: number): Promise<OrderKey[]> {
  return db
    .selectFrom("orders")
    .select(["member_no", "order_id"])
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .limit(limit)
    .execute();
}

/** Reads every shard: for the operator only. */
export async function readLatestOrders(db: Db, limit: number): Promise<OrderRow[]> {
  return db.selectFrom("orders").selectAll().orderBy("order_id", "desc").limit(limit).execute();
}

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
  if (paypalIds.length === 0) return;
  await tx
    .deleteFrom("paypal_refs")
    .where("paypal_id", "=", sql<string>`any(${paypalIds}::text[])`)
    .execute();
}
