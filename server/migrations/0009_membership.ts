import { type Kysely, sql } from "kysely";

/** Memberships and their grants, orders, PayPal ids, webhook events, coupons, and the archive of deleted members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table memberships (
      member_no int8 primary key,
      paid_until_hour timestamptz not null,
      encrypted_paid_until bytea not null,
      remind_at timestamptz,
      constraint memberships_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create index memberships_remind_at on memberships (remind_at) where remind_at is not null`.execute(db);
  await sql`
    create table grants (
      member_no int8 not null,
      grant_id uuid not null,
      year int4 not null,
      month int4 not null,
      source text not null,
      at timestamptz not null,
      encrypted_at bytea not null,
      place int4 not null default 0,
      revoked_months int4 not null default 0,
      encrypted_ended_at bytea,
      coupon_id text,
      primary key (member_no, grant_id),
      constraint grants_member foreign key (member_no) references members (member_no) on delete cascade,
      constraint grants_plan check (year >= 0 and month >= 0 and year + month > 0),
      constraint grants_source check (source in ('operator', 'order', 'coupon')),
      constraint grants_revoked check (revoked_months >= 0 and revoked_months <= year * 12 + month)
    )`.execute(db);
  await sql`
    create table orders (
      member_no int8 not null,
      order_id uuid not null,
      kind text not null,
      number text,
      reference text,
      year int4 not null,
      month int4 not null,
      currency text not null,
      price int4 not null,
      usd_cents int4 not null,
      encrypted_conditions bytea not null,
      state text not null,
      paypal_order_id text,
      request_no int4 not null default 0,
      capture_id text,
      refunds jsonb not null default '{}',
      refunded int4 not null default 0,
      paid_on date,
      encrypted_paid_at bytea,
      withdrawal_amount int4,
      withdrawal_state text,
      withdrawal_request_no int4 not null default 0,
      encrypted_withdrawn_at bytea,
      next_poll_at timestamptz,
      primary key (member_no, order_id),
      constraint orders_member foreign key (member_no) references members (member_no) on delete cascade,
      constraint orders_plan check (year >= 0 and month >= 0 and year + month > 0),
      constraint orders_currency check (currency in ('TWD', 'USD', 'JPY')),
      constraint orders_price check (price > 0 and usd_cents > 0 and refunded >= 0),
      constraint orders_state check (state in (
        'created', 'capturing', 'declined', 'pending', 'completed', 'partly_refunded', 'refunded', 'unclear')),
      constraint orders_paid check (
        (state in ('completed', 'partly_refunded', 'refunded')) = (paid_on is not null)),
      constraint orders_paid_at check ((paid_on is null) = (encrypted_paid_at is null)),
      constraint orders_kind check (kind in ('paypal', 'bank')),
      constraint orders_paypal check ((kind = 'paypal') = (paypal_order_id is not null)),
      constraint orders_reference check ((kind = 'bank') = (reference is not null)),
      constraint orders_number check ((paid_on is null) = (number is null)),
      constraint orders_withdrawal_state check (withdrawal_state in ('pending', 'done')),
      constraint orders_withdrawal check (
        (withdrawal_amount is null) = (withdrawal_state is null)
        and (withdrawal_amount is null) = (encrypted_withdrawn_at is null))
    )`.execute(db);
  await sql`create sequence receipt_sequence as bigint`.execute(db);
  await sql`create index orders_next_poll_at on orders (next_poll_at) where next_poll_at is not null`.execute(
    db,
  );
  await sql`
    create table paypal_refs (
      paypal_id text not null,
      kind text not null,
      member_no int8,
      order_id uuid not null,
      primary key (paypal_id, kind),
      constraint paypal_refs_kind check (kind in ('order', 'capture', 'custom_id', 'reference'))
    )`.execute(db);
  await sql`
    create table webhook_events (
      event_id text primary key,
      at timestamptz not null
    )`.execute(db);
  await sql`
    create table closed_orders (
      archive_id uuid primary key,
      kind text not null,
      number text,
      reference text,
      country text,
      tax float8 not null,
      year int4 not null,
      month int4 not null,
      currency text not null,
      price int4 not null,
      usd_cents int4 not null,
      state text not null,
      paypal_order_id text,
      capture_id text,
      refunds jsonb not null,
      refunded int4 not null,
      paid_on date,
      withdrawal_amount int4,
      withdrawal_state text,
      withdrawal_request_no int4 not null,
      next_poll_at timestamptz
    )`.execute(db);
  await sql`
    create index closed_orders_next_poll_at on closed_orders (next_poll_at) where next_poll_at is not null`.execute(
    db,
  );
  await sql`
    create table coupons (
      coupon_id text primary key,
      year int4 not null,
      month int4 not null,
      expires_at timestamptz not null,
      max_uses int4 not null,
      value text,
      used int4 not null default 0,
      created_at timestamptz not null,
      disabled_at timestamptz,
      constraint coupons_plan check (year >= 0 and month >= 0 and year + month > 0),
      constraint coupons_uses check (used >= 0 and used <= max_uses)
    )`.execute(db);
  await sql`
    create table coupon_uses (
      coupon_id text not null,
      member_no int8 not null,
      at timestamptz not null,
      primary key (coupon_id, member_no),
      constraint coupon_uses_coupon foreign key (coupon_id) references coupons (coupon_id) on delete cascade
    )`.execute(db);
}
