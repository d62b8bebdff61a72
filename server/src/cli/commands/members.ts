import { randomUUID } from "node:crypto";
import {
  deleteMember,
  findAnyMember,
  findOpenSessionsOf,
  findMemberByEmail,
  logOperatorAction,
  readUserIds,
  restoreMember,
  suspendMember,
} from "../../accounts/index.ts";
import { grantMembership, listGrants, listOrders, paidUntil } from "../../membership/index.ts";
import type { AppContext } from "../../platform/context.ts";
import { getBalance, listTransfers } from "../../referral/index.ts";
import { listReportsOf } from "../../reports/index.ts";
import {
  type Act,
  type Facts,
  type Group,
  type Meanings,
  noWords,
  oneWord,
  OperatorProblem,
  plan,
  type Told,
  UsageProblem,
  uuid,
} from "../command-line.ts";

interface MemberFacts {
  user_id: string;
  standing: "active" | "suspended" | "deleted";
  created_at: string;
  paid_account_expired_at: string | null;
}

const MEMBER: Meanings = {
  user_id: "the name in the member's address",
  standing: "`active`, `suspended` or `deleted`",
  created_at: "when the account was made",
  paid_account_expired_at: "until when the membership is paid, or was",
};

const MEMBER_AND_ALL: Meanings = {
  ...MEMBER,
  membership: "`paid` or `free`, now",
  sessions: "how many logins live",
  available: "what it earned by inviting and can transfer",
  received: "what PayPal has accepted for it so far",
  reports_made: "how many others it reported, resolved ones of the last 180 days included",
  reports_received: "how often it was reported, the same way",
  grants: "what made the membership, in the order in which it is added up",
  "grants.at": "when",
  "grants.source": "`order`, `coupon` or `operator`",
  "grants.year": "whole years",
  "grants.month": "whole months",
  "grants.taken_months": "how many months of it were taken back, for a refund",
  "grants.coupon": "which coupon",
  orders: "what it began to buy, the newest first; `orders list` has more of them",
  "orders.id": "ours",
  "orders.price": "in whole units of the currency",
  "orders.state": "as in `orders list`",
  "orders.created_at": "when it was begun",
  "orders.paid_at": "when it was paid",
  transfers: "what it sent to PayPal, the newest first; `payouts list` has more of them",
  "transfers.id": "ours",
  "transfers.amount": "in USD",
  "transfers.state": "as in `payouts list`",
  "transfers.created_at": "when",
  reports: "those made and received, the oldest first; without their words",
  "reports.id": "as in `reports list`",
  "reports.side": "`made` or `received`",
  "reports.at": "when",
  "reports.state": "`open` or `resolved`",
};

type Member = NonNullable<Awaited<ReturnType<typeof findAnyMember>>>;

/** Anybody by user id, the suspended too. */
export async function findOrExplain(ctx: AppContext, userId: string): Promise<Member> {
  const member = await findAnyMember(ctx, userId);
  if (!member) throw new OperatorProblem(`There is no member ${JSON.stringify(userId)}.`);
  return member;
}

async function describe(
  ctx: AppContext,
  { memberId, userId, accountStatus, createdAt }: Member,
): Promise<MemberFacts> {
  const until = await paidUntil(ctx.db, memberId);
  return {
    user_id: userId,
    standing: accountStatus,
    created_at: createdAt.toISOString(),
    paid_account_expired_at: until?.toISOString() ?? null,
  };
}

async function describeByName(ctx: AppContext, userId: string): Promise<MemberFacts> {
  return describe(ctx, await findOrExplain(ctx, userId));
}

const inDollars = (dollars: number): string => `${dollars.toFixed(2)} USD`;

/** Everything that a question to the support may be about; nothing of what the member wrote or was written. */
async function show(ctx: AppContext, userId: string, reason: string | null): Promise<Told> {
  const member = await findOrExplain(ctx, userId);
  const { memberId } = member;
  await logOperatorAction(ctx, "members show", member, reason);
  const facts = await describe(ctx, member);
  const now = ctx.clock.now();
  const { available, received } = await getBalance(ctx.db, memberId);
  const reports = await listReportsOf(ctx, memberId);
  const countOf = (side: "made" | "received") => String(reports.filter((one) => one.side === side).length);
  const until = facts.paid_account_expired_at;
  return {
    ...facts,
    membership: until !== null && new Date(until) > now ? "paid" : "free",
    sessions: String((await findOpenSessionsOf(ctx.db, memberId, now)).length),
    available: inDollars(available),
    received: inDollars(received),
    reports_made: countOf("made"),
    reports_received: countOf("received"),
    grants: (await listGrants(ctx.db, memberId)).map(
      ({ at, source, year, month, revoked_months, coupon_id }) => ({
        at: at.toISOString(),
        source,
        year: String(year),
        month: String(month),
        taken_months: String(revoked_months),
        coupon: coupon_id,
      }),
    ),
    orders: (await listOrders(ctx, memberId)).map(
      ({ order_id, price, currency, state, created_at, paid_at }) => ({
        id: order_id,
        price: `${price} ${currency}`,
        state,
        created_at: created_at.toISOString(),
        paid_at: paid_at?.toISOString() ?? null,
      }),
    ),
    transfers: (await listTransfers(ctx, memberId)).map(({ transfer_id, usd_cents, state, created_at }) => ({
      id: transfer_id,
      amount: inDollars(usd_cents / 100),
      state,
      created_at: created_at.toISOString(),
    })),
    reports: reports.map(({ id, side, at, isOpen }) => ({
      id,
      side,
      at: at.toISOString(),
      state: isOpen ? "open" : "resolved",
    })),
  };
}

async function grant(
  ctx: AppContext,
  userId: string,
  wish: { year: number; month: number; grantId: string; reason: string | null },
): Promise<MemberFacts> {
  const { year, month, grantId, reason } = wish;
  const member = await findOrExplain(ctx, userId);
  await logOperatorAction(ctx, `members grant year=${year} month=${month} id=${grantId}`, member, reason);
  await grantMembership(ctx, member.memberId, { year, month, grantId, source: "operator" });
  return describe(ctx, member);
}

async function suspend(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await findOrExplain(ctx, userId);
  await logOperatorAction(ctx, "members suspend", member, reason);
  await suspendMember(ctx, member.memberId);
  return describeByName(ctx, userId);
}

async function restore(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await findOrExplain(ctx, userId);
  await logOperatorAction(ctx, "members restore", member, reason);
  await restoreMember(ctx, member.memberId);
  return describeByName(ctx, userId);
}

async function remove(ctx: AppContext, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await findOrExplain(ctx, userId);
  const facts = await describe(ctx, member);
  await logOperatorAction(ctx, "members delete", member, reason);
  await deleteMember(ctx, member.memberId);
  return { ...facts, standing: "deleted" };
}

const factsOf = (facts: MemberFacts): Facts => ({ ...facts });

function act(
  name: string,
  says: string,
  run: (ctx: AppContext, userId: string, reason: string | null) => Promise<MemberFacts | Told>,
  tells = MEMBER,
): Act {
  return {
    takes: "USER_ID",
    says,
    tells,
    read: (words) => {
      const userId = oneWord(words, `members ${name} takes one USER_ID.`);
      return async (ctx, reason) => ({ ...(await run(ctx, userId, reason)) });
    },
  };
}

/** Whose address it is; the log has whom it was, and not the address. */
async function find(ctx: AppContext, email: string, reason: string | null): Promise<MemberFacts> {
  const found = await findMemberByEmail(ctx, email.trim());
  const userId = found && (await readUserIds(ctx.db, [found.memberId])).get(found.memberId);
  await logOperatorAction(ctx, "members find", { userId: userId ?? "-" }, reason);
  if (!userId) throw new OperatorProblem("No member has this address.");
  return describeByName(ctx, userId);
}

export const members: Group = {
  find: {
    takes: "--email ADDRESS",
    says: "who writes from this address",
    tells: MEMBER,
    options: { email: "an e-mail address, as it stands in a letter to the support" },
    read: (words, { email }) => {
      noWords(words, "members find takes --email ADDRESS.");
      if (!email) throw new UsageProblem("members find needs --email ADDRESS.");
      return async (ctx, reason) => factsOf(await find(ctx, email, reason));
    },
  },
  show: act("show", "membership, money, reports and sessions", show, MEMBER_AND_ALL),
  grant: {
    takes: "USER_ID --year 1 --month 2",
    says: "after a bank transfer, for example",
    tells: MEMBER,
    options: {
      year: "whole years",
      month: "whole months",
      "grant-id": "a UUID; a grant that is repeated with the same one counts once",
    },
    read: (words, values) => {
      const userId = oneWord(words, "members grant takes one USER_ID.");
      const wish = plan(values, "members grant needs --year or --month.");
      const grantId = uuid(values["grant-id"] ?? randomUUID(), "--grant-id must be a UUID.");
      return async (ctx, reason) => factsOf(await grant(ctx, userId, { ...wish, grantId, reason }));
    },
  },
  suspend: act("suspend", "out at once, and seen by nobody", suspend),
  restore: act("restore", "", restore),
  delete: act("delete", "cannot be undone", remove),
};
