import { sql } from "kysely";
import { startPayPal, type FakePayPal } from "@alcove/test-services/paypal";
import { testService, type TestService } from "../test-service.ts";
import { PAYOUT_OUTCOMES } from "./actions.ts";

/** Thrown to simulate a crash before the commit. */
export const CRASHED = "crashed before the commit";

/** Two servers on one database, and their PayPal. */
export interface FuzzEnv {
  readonly servers: readonly [TestService, TestService];
  readonly paypal: FakePayPal;
}

export async function openEnv(): Promise<FuzzEnv> {
  const paypal = await startPayPal();
  for (const fate of PAYOUT_OUTCOMES) await paypal.setPayoutOutcome(payeeWith(fate), fate);
  const config = { paypal: paypal.account };
  const first = await testService({ config });
  const second = await testService({ config, beside: first });
  first.clock.set("2026-01-31T12:00:00Z");
  await prepare(first);
  for (const { ctx } of [first, second]) {
    const tell = (kind: string, orderId: string, cents: number) =>
      sql`insert into told (kind, order_id, cents) values (${kind}, ${orderId}, ${cents})`;
    ctx.domainEvents.on("order_paid", async (tx, { orderId, usdCents }) => {
      await tell("paid", orderId, usdCents).execute(tx);
    });
    ctx.domainEvents.on("order_refunded", async (tx, { orderId, leftUsdCents }) => {
      await tell("left", orderId, leftUsdCents).execute(tx);
    });
    ctx.domainEvents.on("order_archived", async (tx, { orderId, archiveId }) => {
      await sql`update told set order_id = ${archiveId} where order_id = ${orderId}`.execute(tx);
    });
  }
  return { servers: [first, second], paypal };
}

/** Records domain events and ledger writes, and can drop PayPal's response before the commit. */
async function prepare({ db }: TestService): Promise<void> {
  await sql`create table told (kind text, order_id text, cents int)`.execute(db);
  await sql`create table crashing (what text primary key)`.execute(db);
  await sql`
    create function crash() returns trigger language plpgsql as $$
    begin
      if exists (select from crashing where what = to_jsonb(new) ->> tg_argv[0]) then
        raise exception '${sql.raw(CRASHED)}';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger crash before update on orders for each row
    when (new.state in ('completed', 'pending', 'declined')) execute function crash('order_id')`.execute(db);
  await sql`
    create trigger crash before update on transfers for each row
    when (new.state <> 'sending') execute function crash('member_no')`.execute(db);
  await sql`
    create table trail (place bigserial primary key, member_no int8, kind text, cents int, transfer_id text)`.execute(
    db,
  );
  await sql`
    create function leave_trail() returns trigger language plpgsql as $$
    begin
      insert into trail (member_no, kind, cents, transfer_id)
      values (new.member_no, new.kind, new.usd_cents, new.transfer_id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger leave_trail after insert on ledger_entries for each row execute function leave_trail()`.execute(
    db,
  );
}

/** A receiver address with this payout outcome. */
export function payeeWith(fate: (typeof PAYOUT_OUTCOMES)[number]): string {
  return `${fate.toLowerCase()}@example.com`;
}

/** The trail outlives the member. */
export interface Trace {
  readonly member_no: number;
  readonly kind: "fee" | "fee_reversed" | "transfer" | "transfer_returned";
  readonly cents: number;
  readonly transfer_id: string | null;
}

export async function readTrace({ db }: TestService, memberId: number | null = null): Promise<Trace[]> {
  const { rows } = await sql<Trace>`
    select member_no, kind, cents, transfer_id from trail
    where member_no = coalesce(${memberId}::int8, member_no) order by place`.execute(db);
  return rows;
}
