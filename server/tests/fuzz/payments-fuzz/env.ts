import { sql } from "kysely";
import type { Currency } from "@alcove/contract/prices";
import { startPayPal, type FakePayPal } from "@alcove/test-services/paypal";
import { DAY_MS } from "../../../src/platform/clock.ts";
import { transferEmailContext } from "../../../src/referral/send-transfer.ts";
import { testService, type TestService } from "../../../src/testing/test-service.ts";
import { PAYOUT_OUTCOMES } from "./actions.ts";

/** Thrown to simulate a crash before the commit. */
export const CRASHED = "crashed before the commit";

const HOLD_DAYS = 1;
export const HOLD_MS = HOLD_DAYS * DAY_MS;

/** Two servers on one database, and their PayPal. */
export interface FuzzEnv {
  readonly servers: readonly [TestService, TestService];
  readonly paypal: FakePayPal;
  /** Payments at the bank. */
  readonly bank: BankEntry[];
}

interface BankEntry {
  readonly kind: "taken" | "given back";
  /** The order's id. */
  readonly reference: string;
  readonly currency: Currency;
  readonly units: number;
}

export async function openEnv(): Promise<FuzzEnv> {
  const paypal = await startPayPal();
  for (const fate of PAYOUT_OUTCOMES) await paypal.setPayoutOutcome(payeeWith(fate), fate);
  const config = { paypal: paypal.account, brokerageHoldDays: HOLD_DAYS, bankDetails: "IBAN" };
  const first = await testService({ config });
  const second = await testService({ config, beside: first });
  first.clock.set("2026-01-31T12:00:00Z");
  await prepare(first);
  for (const { ctx } of [first, second]) {
    ctx.domainEvents.on("order_paid", async (tx, { orderId, usdCents, memberId, inviter, payer }) => {
      const emails = payer.emails.map((email) => email.toLowerCase());
      await sql`
        insert into told (kind, order_id, cents, member_no, inviter, payer)
        values ('paid', ${orderId}, ${usdCents}, ${memberId}, ${inviter}, ${emails})`.execute(tx);
    });
    ctx.domainEvents.on("order_refunded", async (tx, { orderId, leftUsdCents }) => {
      await sql`
        insert into told (kind, order_id, cents) values ('left', ${orderId}, ${leftUsdCents})`.execute(tx);
    });
    ctx.domainEvents.on("order_archived", async (tx, { orderId, archiveId }) => {
      await sql`update told set order_id = ${archiveId} where order_id = ${orderId}`.execute(tx);
      await sql`update trail set order_id = ${archiveId} where order_id = ${orderId}`.execute(tx);
    });
  }
  return { servers: [first, second], paypal, bank: [] };
}

/** Records domain events and ledger writes, and can drop PayPal's response before the commit. */
async function prepare({ db, clock }: TestService): Promise<void> {
  await sql`create sequence places`.execute(db);
  await sql`
    create table told (place int8 default nextval('places'), kind text, order_id text, cents int,
      member_no int8, inviter int8, payer text[])`.execute(db);
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
    when (new.state in ('completed', 'pending', 'declined') or new.withdrawal_state = 'done')
    execute function crash('order_id')`.execute(db);
  await sql`
    create trigger crash before update on transfers for each row
    when (new.state <> 'sending') execute function crash('member_no')`.execute(db);
  // The audit also reads the PayPal addresses of deleted members.
  await sql`create function keep_row() returns trigger language plpgsql as $$ begin return null; end $$`.execute(
    db,
  );
  await sql`
    create trigger keep_keys before delete on data_keys for each row execute function keep_row()`.execute(db);
  await sql`create table trail_clock (now timestamptz)`.execute(db);
  await sql`insert into trail_clock values (${clock.now()})`.execute(db);
  await sql`
    create table trail (place int8 default nextval('places'), member_no int8, kind text, cents int, order_id text,
      transfer_id text, encrypted_email bytea, at timestamptz, available_at timestamptz)`.execute(db);
  await sql`
    create function leave_trail() returns trigger language plpgsql as $$
    begin
      insert into trail (member_no, kind, cents, order_id, transfer_id, encrypted_email, at, available_at)
      values (new.member_no, new.kind, new.usd_cents, new.order_id, new.transfer_id,
        (select encrypted_email from transfers t
          where t.member_no = new.member_no and t.transfer_id = new.transfer_id),
        (select now from trail_clock), new.available_at);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger leave_trail after insert on ledger_entries for each row execute function leave_trail()`.execute(
    db,
  );
}

/** Parallel members may move the clock by this before the trail has the new time. */
export const CLOCK_SKEW_MS = 3 * DAY_MS;

/** Also for the trail: the ledger stores days only. */
export async function advanceClock({ db, clock }: TestService, ms: number): Promise<void> {
  clock.advance(ms);
  await sql`update trail_clock set now = greatest(now, ${clock.now()}::timestamptz)`.execute(db);
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
  readonly order_id: string | null;
  readonly transfer_id: string | null;
  readonly at: Date;
  /** Null for a transfer. */
  readonly available_at: Date | null;
}

export async function readTrace({ db }: TestService, memberId: number | null = null): Promise<Trace[]> {
  const { rows } = await sql<Trace>`
    select member_no, kind, cents, order_id, transfer_id, at, available_at from trail
    where member_no = coalesce(${memberId}::int8, member_no) order by place`.execute(db);
  return rows;
}

/** A domain event about an order. */
export interface ToldOrder {
  readonly place: number;
  readonly kind: "paid" | "left";
  readonly order_id: string;
  readonly cents: number;
  readonly member_no: number | null;
  readonly inviter: number | null;
  readonly payer: readonly string[] | null;
}

export async function readTold({ db }: TestService): Promise<ToldOrder[]> {
  const { rows } = await sql<ToldOrder>`select * from told order by place`.execute(db);
  return rows;
}

/** Accounts that members paid with or transferred to, with their place in the history. */
export async function readAccounts(service: TestService) {
  const { ctx, db } = service;
  const { rows } = await sql<{
    place: number;
    member_no: number;
    transfer_id: string;
    encrypted_email: Buffer;
  }>`select place, member_no, transfer_id, encrypted_email from trail where kind = 'transfer'`.execute(db);
  const receivers = await Promise.all(
    rows.map(async ({ place, member_no, transfer_id, encrypted_email }) => ({
      place,
      member_no,
      email: await ctx.encryption.decrypt(encrypted_email, transferEmailContext(transfer_id)),
    })),
  );
  const payers = (await readTold(service)).flatMap(({ place, member_no, payer }) =>
    (payer ?? []).map((email) => ({ place, member_no, email })),
  );
  return [...receivers, ...payers];
}
