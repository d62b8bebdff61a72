import {
  deleteMember,
  findAnyMember,
  noteOperatorAct,
  restoreMember,
  suspendMember,
} from "../accounts/index.ts";
import { grantMembership, paidUntil } from "../membership/index.ts";
import type { Deps } from "../platform/deps.ts";

/** A command that cannot be done, told in plain words. */
export class OperatorProblem extends Error {
  override name = "OperatorProblem";
}

export interface MemberFacts {
  user_id: string;
  standing: "active" | "suspended" | "deleted";
  created_at: string;
  paid_account_expired_at: string | null;
}

type Member = NonNullable<Awaited<ReturnType<typeof findAnyMember>>>;

async function find(deps: Deps, userId: string): Promise<Member> {
  const member = await findAnyMember(deps, userId);
  if (!member) throw new OperatorProblem(`There is no member ${JSON.stringify(userId)}.`);
  return member;
}

async function describe(deps: Deps, { no, userId, standing, createdAt }: Member): Promise<MemberFacts> {
  const until = await paidUntil(deps.db, no);
  return {
    user_id: userId,
    standing,
    created_at: createdAt.toISOString(),
    paid_account_expired_at: until?.toISOString() ?? null,
  };
}

export async function show(deps: Deps, userId: string): Promise<MemberFacts> {
  return describe(deps, await find(deps, userId));
}

export async function grant(
  deps: Deps,
  userId: string,
  wish: { year: number; month: number; grantId: string; reason: string | null },
): Promise<MemberFacts> {
  const { year, month, grantId, reason } = wish;
  const member = await find(deps, userId);
  await noteOperatorAct(deps, `members grant year=${year} month=${month} id=${grantId}`, member, reason);
  await grantMembership(deps, member.no, { year, month, grantId, source: "operator" });
  return describe(deps, member);
}

export async function suspend(deps: Deps, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await find(deps, userId);
  await noteOperatorAct(deps, "members suspend", member, reason);
  await suspendMember(deps, member.no);
  return show(deps, userId);
}

export async function restore(deps: Deps, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await find(deps, userId);
  await noteOperatorAct(deps, "members restore", member, reason);
  await restoreMember(deps, member.no);
  return show(deps, userId);
}

export async function remove(deps: Deps, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await find(deps, userId);
  const facts = await describe(deps, member);
  await noteOperatorAct(deps, "members delete", member, reason);
  await deleteMember(deps, member.no);
  return { ...facts, standing: "deleted" };
}
