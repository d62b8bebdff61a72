import { randomUUID } from "node:crypto";
import { findAnyMember } from "../../../members/find-member.ts";
import { decryptPaidAt, paidUntil, timeOfOrder } from "../../../membership/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import {
  actOnMember,
  type Actor,
  deleteAccount,
  endAccountSessions,
  findAccount,
  type FoundMember,
  grantAccount,
  readAccount,
  restoreAccount,
  revokeAccountGrant,
  setAccountPercentage,
  suspendAccount,
} from "../../members.ts";
import {
  listEmailRequests,
  openEmailRequest,
  rejectEmailRequest,
  setAccountEmail,
  type SetEmailProblem,
} from "../../mailboxes.ts";
import {
  CASE_OPTION,
  type Subcommand,
  type Fields,
  type Group,
  type FieldDescriptions,
  noArguments,
  OperatorError,
  singleArgument,
  parseCase,
  parsePlan,
  type Output,
  parseUuid,
  readLine,
  required,
  UsageError,
  throwIfWaiting,
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
  fee_percentage: "the member's share of purchases to come, in percent",
  reports_made: "reports by the member, including those decided in the last 180 days",
  reports_received: "cases about the member, likewise",
  grants: "the membership's grants, in the order in which they are added up",
  "grants.id": "for `members revoke-grant`",
  "grants.at": "time",
  "grants.source": "`order`, `coupon` or `operator`",
  "grants.year": "years",
  "grants.month": "months",
  "grants.taken_months": "months revoked, after a refund for example",
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
  reports: "reports made and cases received, oldest first, without their texts",
  "reports.id": "number of the report made, or of the case; for `cases show`",
  "reports.side": "`made` or `received`",
  "reports.at": "the day",
  "reports.state": "`open`, or the last decision",
};

const orThrow = (member: FoundMember | null, userId: string): FoundMember =>
  required(member, `There is no member ${JSON.stringify(userId)}.`);

export async function requireMember(ctx: AppContext, userId: string): Promise<FoundMember> {
  return orThrow(await findAnyMember(ctx, userId), userId);
}

const byCommand = (reason: string | null): Actor => ({ operatorId: null, reason });

async function describe(
  ctx: AppContext,
  { memberId, userId, accountStatus, createdAt }: FoundMember,
): Promise<MemberFacts> {
  const until = await paidUntil(ctx, memberId);
  return {
    user_id: userId,
    standing: accountStatus,
    created_at: createdAt.toISOString(),
    paid_account_expired_at: until?.toISOString() ?? null,
  };
}

const inDollars = (dollars: number): string => `${dollars.toFixed(2)} USD`;

async function show(ctx: AppContext, userId: string, by: Actor): Promise<Output> {
  const member = orThrow(await actOnMember(ctx, by, "members show", userId), userId);
  const account = await readAccount(ctx, member);
  const countOf = (side: "made" | "received") =>
    String(account.reports.filter((one) => one.side === side).length);
  const isPaid = account.paidUntil !== null && account.paidUntil > ctx.clock.now();
  return {
    ...(await describe(ctx, member)),
    membership: isPaid ? "paid" : "free",
    sessions: String(account.sessions),
    available: inDollars(account.balance.available),
    received: inDollars(account.balance.received),
    pending: inDollars(account.balance.pending),
    fee_percentage: String(account.feePercentage),
    reports_made: countOf("made"),
    reports_received: countOf("received"),
    grants: account.grants.map(({ grant_id, at, source, year, month, revoked_months, coupon_id }) => ({
      id: grant_id,
      at: at.toISOString(),
      source,
      year: String(year),
      month: String(month),
      taken_months: String(revoked_months),
      coupon: coupon_id,
    })),
    orders: await Promise.all(
      account.orders.map(async (order) => ({
        id: order.order_id,
        price: `${order.price} ${order.currency}`,
        state: order.state,
        created_at: timeOfOrder(order).toISOString(),
        paid_at: (await decryptPaidAt(ctx, order))?.toISOString() ?? null,
      })),
    ),
    transfers: account.transfers.map(({ transfer_id, usd_cents, state, created_at }) => ({
      id: transfer_id,
      amount: inDollars(usd_cents / 100),
      state,
      created_at: created_at.toISOString(),
    })),
    reports: account.reports.map(({ number, side, on, outcome }) => ({
      id: String(number),
      side,
      at: on,
      state: outcome ?? "open",
    })),
  };
}

/** Runs an action of `operator/members.ts` and describes the member as they are afterwards. */
const after =
  (act: typeof suspendAccount) =>
  async (ctx: AppContext, userId: string, by: Actor): Promise<MemberFacts> =>
    describe(ctx, orThrow(await act(ctx, by, userId), userId));

async function revoke(
  ctx: AppContext,
  userId: string,
  grantId: string | null,
  reason: string | null,
): Promise<MemberFacts> {
  const member = await revokeAccountGrant(ctx, byCommand(reason), userId, grantId);
  if (member === "no gift") throw new OperatorError(`${userId} has no such gift.`);
  return describe(ctx, orThrow(member, userId));
}

async function remove(ctx: AppContext, userId: string, by: Actor): Promise<MemberFacts> {
  const facts = await describe(ctx, await requireMember(ctx, userId));
  const deleted = await deleteAccount(ctx, by, userId);
  throwIfWaiting(deleted?.requestId ?? null);
  return { ...facts, standing: "deleted" };
}

const toFields = (facts: MemberFacts): Fields => ({ ...facts });

function memberCommand(
  name: string,
  says: string,
  run: (ctx: AppContext, userId: string, by: Actor) => Promise<MemberFacts | Output>,
  look: Partial<Subcommand> = {},
): Subcommand {
  return {
    usage: "USER_ID",
    summary: says,
    fields: MEMBER,
    ...look,
    parse: (words, values) => {
      const userId = singleArgument(words, `members ${name} takes one USER_ID.`);
      const caseNo = parseCase(values);
      return async (ctx, reason) => ({ ...(await run(ctx, userId, { ...byCommand(reason), caseNo })) });
    },
  };
}

async function find(ctx: AppContext, by: Actor): Promise<MemberFacts> {
  const found = await findAccount(ctx, by, await readLine("Email address: "));
  return describe(ctx, required(found, "No member has this address."));
}

const SET_PROBLEMS: Record<SetEmailProblem, string> = {
  unknown: "There is no such active member.",
  "no request": "The member has no open request for a new address.",
  "other address": "The open request names another address.",
  "not due": "The request is not 30 days old, or devices and old address were not told three times.",
};

async function setEmail(
  ctx: AppContext,
  { userId, email }: { userId: string; email: string | null },
  reason: string | null,
): Promise<MemberFacts> {
  const set = await setAccountEmail(ctx, byCommand(reason), userId, email);
  if (typeof set === "string") throw new OperatorError(SET_PROBLEMS[set]);
  throwIfWaiting(set.requestId);
  return describe(ctx, await requireMember(ctx, userId));
}

async function rejectEmail(ctx: AppContext, userId: string, by: Actor): Promise<MemberFacts> {
  if (!(await rejectEmailRequest(ctx, by, userId))) throw new OperatorError(SET_PROBLEMS["no request"]);
  return describe(ctx, await requireMember(ctx, userId));
}

const EMAIL_REQUEST: FieldDescriptions = {
  id: "the request",
  asked_on: "day of the request",
  due_on: "first day on which the address can be set",
  told: "how often devices and old address were told",
};

async function showEmailRequest(ctx: AppContext, id: string, reason: string | null): Promise<Output> {
  const found = required(await openEmailRequest(ctx, byCommand(reason), id), `No request ${id} is open.`);
  const { askedOn, dueOn, told, userId: user_id, email, order, text } = found;
  return { id, asked_on: askedOn, due_on: dueOn, told: String(told), user_id, email, order, text };
}

export const members: Group = {
  find: {
    usage: "[--case NUMBER]",
    summary: "reads an email address from standard input",
    options: CASE_OPTION,
    fields: MEMBER,
    parse: (words, values) => {
      noArguments(words, "members find takes no arguments: it reads the address from standard input.");
      const caseNo = parseCase(values);
      return async (ctx, reason) => toFields(await find(ctx, { ...byCommand(reason), caseNo }));
    },
  },
  show: memberCommand("show", "membership, money, reports and sessions", show, {
    usage: "USER_ID [--case NUMBER]",
    options: CASE_OPTION,
    fields: MEMBER_DETAILS,
  }),
  grant: {
    usage: "USER_ID --year 1 --month 2",
    summary: "a gift, without a fee for the inviter",
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
      const grant = (ctx: AppContext, by: Actor) => grantAccount(ctx, by, userId, { ...period, grantId });
      return async (ctx, reason) => toFields(await after(grant)(ctx, userId, byCommand(reason)));
    },
  },
  "revoke-grant": {
    usage: "USER_ID [GRANT_ID]",
    summary: "takes back a gift, without an id the newest, and never a purchase",
    fields: MEMBER,
    parse: ([userId = "", id = null, ...more]) => {
      if (!userId || more.length > 0)
        throw new UsageError("members revoke-grant takes USER_ID and perhaps GRANT_ID.");
      const grantId = id && parseUuid(id, "GRANT_ID must be a UUID.");
      return async (ctx, reason) => toFields(await revoke(ctx, userId, grantId, reason));
    },
  },
  percentage: {
    usage: "USER_ID 25",
    summary: "the member's share of purchases to come; `default` for BROKERAGE_PERCENTAGE",
    fields: { ...MEMBER, fee_percentage: MEMBER_DETAILS["fee_percentage"]! },
    parse: ([userId = "", value = "", ...more]) => {
      const isDefault = value === "default";
      if (!userId || more.length > 0 || !(isDefault || /^(?:\d{1,2}|100)$/.test(value)))
        throw new UsageError(
          "members percentage takes USER_ID and a whole number from 0 to 100, or `default`.",
        );
      const percentage = isDefault ? null : Number(value);
      const set = (ctx: AppContext, by: Actor) => setAccountPercentage(ctx, by, userId, percentage);
      return async (ctx, reason) => {
        const facts = await after(set)(ctx, userId, byCommand(reason));
        return { ...facts, fee_percentage: String(percentage ?? ctx.config.brokeragePercentage) };
      };
    },
  },
  "log-out": memberCommand(
    "log-out",
    "ends all sessions, after a theft for example",
    after(endAccountSessions),
  ),
  suspend: memberCommand(
    "suspend",
    "ends all sessions and hides the member at once, by a case of its own",
    after(suspendAccount),
  ),
  restore: memberCommand("restore", "", after(restoreAccount)),
  "email-requests": {
    usage: "",
    summary: "open requests of members who cannot read their email, oldest first, 200 rows",
    fields: EMAIL_REQUEST,
    parse: (words) => {
      noArguments(words, "members email-requests takes no arguments.");
      return async (ctx, reason) =>
        (await listEmailRequests(ctx, byCommand(reason))).map(({ id, askedOn, dueOn, told }) => ({
          id,
          asked_on: askedOn,
          due_on: dueOn,
          told: String(told),
        }));
    },
  },
  "email-request": {
    usage: "ID",
    summary: "a request with its proofs",
    fields: {
      ...EMAIL_REQUEST,
      user_id: "the member's user id",
      email: "the new address",
      order: "number of an order or receipt",
      text: "further proofs",
    },
    parse: (words) => {
      const usage = "members email-request takes the ID of a request.";
      const id = parseUuid(singleArgument(words, usage), usage);
      return (ctx, reason) => showEmailRequest(ctx, id, reason);
    },
  },
  "set-email": {
    usage: "USER_ID [EMAIL]",
    summary:
      "sets the address of a request that is 30 days old; destroys matches, conversations and likes, and needs a second operator if there is one",
    fields: MEMBER,
    parse: ([userId = "", email = null, ...more]) => {
      if (!userId || more.length > 0)
        throw new UsageError("members set-email takes USER_ID and perhaps EMAIL, that of the request.");
      return async (ctx, reason) => toFields(await setEmail(ctx, { userId, email }, reason));
    },
  },
  "reject-email": memberCommand("reject-email", "ends an open request for a new address", rejectEmail),
  delete: memberCommand("delete", "cannot be undone; needs a second operator if there is one", remove),
};
