import { randomUUID } from "node:crypto";
import {
  endAllSessions,
  findOpenSessionsOf,
  logOperatorAction,
  restoreMember,
  suspendMember,
  deleteMember,
} from "../../../accounts/index.ts";
import { findAnyMember, findMemberByEmail } from "../../../members/find-member.ts";
import { readUserIds } from "../../../members/user-ids.ts";
import {
  decryptPaidAt,
  grantMembership,
  listGrants,
  listOrders,
  paidUntil,
  timeOfOrder,
} from "../../../membership/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import { getBalance, listTransfers } from "../../../referral/index.ts";
import { listReportsOf } from "../../../reports/index.ts";
import {
  type Subcommand,
  type Fields,
  type Group,
  type FieldDescriptions,
  noArguments,
  singleArgument,
  parsePlan,
  type Output,
  parseUuid,
  readLine,
  required,
} from "../command-line.ts";

interface MemberFacts {
  user_id: string;
  standing: "active" | "suspended" | "deleted";
  created_at: string;
  paid_account_expired_at: string | null;
}

const MEMBER: FieldDescriptions = {
  user_id: "the member's user id",
  standing: "`active`, `suspended` or `deleted`",
  created_at: "start of the day of the sign-up",
  paid_account_expired_at: "expiry of the paid membership",
};

const MEMBER_DETAILS: FieldDescriptions = {
  ...MEMBER,
  membership: "`paid` or `free`, now",
  sessions: "number of active sessions",
  available: "referral fees available for a transfer",
  received: "referral fees accepted by PayPal",
  pending: "referral fees that are still held",
  reports_made: "reports by the member, including those resolved in the last 180 days",
  reports_received: "reports about the member, likewise",
  grants: "the membership's grants, in the order in which they are added up",
  "grants.at": "time",
  "grants.source": "`order`, `coupon` or `operator`",
  "grants.year": "years",
  "grants.month": "months",
  "grants.taken_months": "months revoked after a refund",
  "grants.coupon": "the coupon's id",
  orders: "orders, newest first; details in `orders list`",
  "orders.id": "our id",
  "orders.price": "in whole units of the currency",
  "orders.state": "as in `orders list`",
  "orders.created_at": "creation time",
  "orders.paid_at": "time of payment",
  transfers: "transfers to PayPal, newest first; details in `payouts list`",
  "transfers.id": "our id",
  "transfers.amount": "in USD",
  "transfers.state": "as in `payouts list`",
  "transfers.created_at": "start of the day",
  reports: "reports made and received, oldest first, without their texts",
  "reports.id": "as in `reports list`",
  "reports.side": "`made` or `received`",
  "reports.at": "start of the day",
  "reports.state": "`open`, `resolved`, `dismissed` or `suspended`",
};

type Member = NonNullable<Awaited<ReturnType<typeof findAnyMember>>>;

/** Includes suspended members. Throws `OperatorError` for an unknown user id. */
export async function requireMember(ctx: AppContext, userId: string): Promise<Member> {
  return required(await findAnyMember(ctx, userId), `There is no member ${JSON.stringify(userId)}.`);
}

async function describe(
  ctx: AppContext,
  { memberId, userId, accountStatus, createdAt }: Member,
): Promise<MemberFacts> {
  const until = await paidUntil(ctx, memberId);
  return {
    user_id: userId,
    standing: accountStatus,
    created_at: createdAt.toISOString(),
    paid_account_expired_at: until?.toISOString() ?? null,
  };
}

async function describeUser(ctx: AppContext, userId: string): Promise<MemberFacts> {
  return describe(ctx, await requireMember(ctx, userId));
}

const inDollars = (dollars: number): string => `${dollars.toFixed(2)} USD`;

/** Shows no text that the member wrote or received. */
async function show(ctx: AppContext, userId: string, reason: string | null): Promise<Output> {
  const member = await requireMember(ctx, userId);
  const { memberId } = member;
  await logOperatorAction(ctx, "members show", member, reason);
  const facts = await describe(ctx, member);
  const now = ctx.clock.now();
  const { available, received, pending } = await getBalance(ctx.db, memberId, now);
  const reports = await listReportsOf(ctx, memberId);
  const countOf = (side: "made" | "received") => String(reports.filter((one) => one.side === side).length);
  const until = facts.paid_account_expired_at;
  return {
    ...facts,
    membership: until !== null && new Date(until) > now ? "paid" : "free",
    sessions: String((await findOpenSessionsOf(ctx.db, memberId, now)).length),
    available: inDollars(available),
    received: inDollars(received),
    pending: inDollars(pending),
    reports_made: countOf("made"),
    reports_received: countOf("received"),
    grants: (await listGrants(ctx, memberId)).map(
      ({ at, source, year, month, revoked_months, coupon_id }) => ({
        at: at.toISOString(),
        source,
        year: String(year),
        month: String(month),
        taken_months: String(revoked_months),
        coupon: coupon_id,
      }),
    ),
    orders: await Promise.all(
      (await listOrders(ctx, memberId)).map(async (order) => ({
        id: order.order_id,
        price: `${order.price} ${order.currency}`,
        state: order.state,
        created_at: timeOfOrder(order).toISOString(),
        paid_at: (await decryptPaidAt(ctx, order))?.toISOString() ?? null,
      })),
    ),
    transfers: (await listTransfers(ctx, memberId)).map(({ transfer_id, usd_cents, state, created_at }) => ({
      id: transfer_id,
      amount: inDollars(usd_cents / 100),
      state,
      created_at: created_at.toISOString(),
    })),
    reports: reports.map(({ id, side, at, outcome }) => ({
      id,
      side,
      at: at.toISOString(),
      state: outcome ?? "open",
    })),
  };
}

async function grant(
  ctx: AppContext,
  userId: string,
  input: { year: number; month: number; grantId: string; reason: string | null },
): Promise<MemberFacts> {
  const { year, month, grantId, reason } = input;
  const member = await requireMember(ctx, userId);
  await logOperatorAction(ctx, `members grant year=${year} month=${month} id=${grantId}`, member, reason);
  await grantMembership(ctx, member.memberId, { year, month, grantId, source: "operator" });
  return describe(ctx, member);
}

async function suspend(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await requireMember(ctx, userId);
  await logOperatorAction(ctx, "members suspend", member, reason);
  await suspendMember(ctx, member.memberId, reason);
  return describeUser(ctx, userId);
}

async function restore(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await requireMember(ctx, userId);
  await logOperatorAction(ctx, "members restore", member, reason);
  await restoreMember(ctx, member.memberId);
  return describeUser(ctx, userId);
}

async function logOut(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await requireMember(ctx, userId);
  await logOperatorAction(ctx, "members log-out", member, reason);
  await endAllSessions(ctx, member.memberId);
  return describeUser(ctx, userId);
}

async function remove(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await requireMember(ctx, userId);
  const facts = await describe(ctx, member);
  await logOperatorAction(ctx, "members delete", member, reason);
  await deleteMember(ctx, member.memberId);
  return { ...facts, standing: "deleted" };
}

const toFields = (facts: MemberFacts): Fields => ({ ...facts });

function memberCommand(
  name: string,
  says: string,
  run: (ctx: AppContext, userId: string, reason: string | null) => Promise<MemberFacts | Output>,
  tells = MEMBER,
): Subcommand {
  return {
    usage: "USER_ID",
    summary: says,
    fields: tells,
    parse: (words) => {
      const userId = singleArgument(words, `members ${name} takes one USER_ID.`);
      return async (ctx, reason) => ({ ...(await run(ctx, userId, reason)) });
    },
  };
}

/** NOTE: the operator log gets the member, not the address. */
async function find(ctx: AppContext, reason: string | null): Promise<MemberFacts> {
  const found = await findMemberByEmail(ctx, await readLine("Email address: "));
  const userId = found && (await readUserIds(ctx.db, ctx.encryption, [found.memberId])).get(found.memberId);
  await logOperatorAction(ctx, "members find", found, reason);
  return describeUser(ctx, required(userId, "No member has this address."));
}

export const members: Group = {
  find: {
    usage: "",
    summary: "reads an email address from standard input",
    fields: MEMBER,
    parse: (words) => {
      noArguments(words, "members find takes no arguments: it reads the address from standard input.");
      return async (ctx, reason) => toFields(await find(ctx, reason));
    },
  },
  show: memberCommand("show", "membership, money, reports and sessions", show, MEMBER_DETAILS),
  grant: {
    usage: "USER_ID --year 1 --month 2",
    summary: "after a bank transfer, for example",
    fields: MEMBER,
    options: {
      year: "years",
      month: "months",
      "grant-id": "a UUID that makes the grant idempotent",
    },
    parse: (words, values) => {
      const userId = singleArgument(words, "members grant takes one USER_ID.");
      const period = parsePlan(values, "members grant needs --year or --month.");
      const grantId = parseUuid(values["grant-id"] ?? randomUUID(), "--grant-id must be a UUID.");
      return async (ctx, reason) => toFields(await grant(ctx, userId, { ...period, grantId, reason }));
    },
  },
  "log-out": memberCommand("log-out", "ends all sessions, after a theft for example", logOut),
  suspend: memberCommand("suspend", "ends all sessions and hides the member", suspend),
  restore: memberCommand("restore", "", restore),
  delete: memberCommand("delete", "cannot be undone", remove),
};
