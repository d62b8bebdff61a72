import { randomUUID } from "node:crypto";
import {
  deleteMember,
  findAnyMember,
  findMemberByEmail,
  noteOperatorAct,
  readUserIds,
  restoreMember,
  suspendMember,
} from "../accounts/index.ts";
import { grantMembership, paidUntil } from "../membership/index.ts";
import type { Deps } from "../platform/deps.ts";
import {
  type Act,
  type Facts,
  type Group,
  noWords,
  oneWord,
  OperatorProblem,
  plan,
  UsageProblem,
  uuid,
} from "./command-line.ts";

interface MemberFacts {
  user_id: string;
  standing: "active" | "suspended" | "deleted";
  created_at: string;
  paid_account_expired_at: string | null;
}

type Member = NonNullable<Awaited<ReturnType<typeof findAnyMember>>>;

/** Anybody by user id, the suspended too. */
export async function findOrExplain(deps: Deps, userId: string): Promise<Member> {
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

async function show(deps: Deps, userId: string): Promise<MemberFacts> {
  return describe(deps, await findOrExplain(deps, userId));
}

async function grant(
  deps: Deps,
  userId: string,
  wish: { year: number; month: number; grantId: string; reason: string | null },
): Promise<MemberFacts> {
  const { year, month, grantId, reason } = wish;
  const member = await findOrExplain(deps, userId);
  await noteOperatorAct(deps, `members grant year=${year} month=${month} id=${grantId}`, member, reason);
  await grantMembership(deps, member.no, { year, month, grantId, source: "operator" });
  return describe(deps, member);
}

async function suspend(deps: Deps, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await findOrExplain(deps, userId);
  await noteOperatorAct(deps, "members suspend", member, reason);
  await suspendMember(deps, member.no);
  return show(deps, userId);
}

async function restore(deps: Deps, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await findOrExplain(deps, userId);
  await noteOperatorAct(deps, "members restore", member, reason);
  await restoreMember(deps, member.no);
  return show(deps, userId);
}

async function remove(deps: Deps, userId: string, reason: string | null): Promise<MemberFacts> {
  const member = await findOrExplain(deps, userId);
  const facts = await describe(deps, member);
  await noteOperatorAct(deps, "members delete", member, reason);
  await deleteMember(deps, member.no);
  return { ...facts, standing: "deleted" };
}

const factsOf = (facts: MemberFacts): Facts => ({ ...facts });

function act(
  name: string,
  says: string,
  run: (deps: Deps, userId: string, reason: string | null) => Promise<MemberFacts>,
): Act {
  return {
    takes: "USER_ID",
    says,
    read: (words) => {
      const userId = oneWord(words, `members ${name} takes one USER_ID.`);
      return async (deps, reason) => factsOf(await run(deps, userId, reason));
    },
  };
}

/** Whose address it is; the log has whom it was, and not the address. */
async function find(deps: Deps, email: string, reason: string | null): Promise<MemberFacts> {
  const found = await findMemberByEmail(deps, email.trim());
  const userId = found && (await readUserIds(deps.db, [found.no])).get(found.no);
  await noteOperatorAct(deps, "members find", { userId: userId ?? "-" }, reason);
  if (!userId) throw new OperatorProblem("No member has this address.");
  return show(deps, userId);
}

export const members: Group = {
  find: {
    takes: "--email ADDRESS",
    says: "who writes from this address",
    options: { email: "an e-mail address, as it stands in a letter to the support" },
    read: (words, { email }) => {
      noWords(words, "members find takes --email ADDRESS.");
      if (!email) throw new UsageProblem("members find needs --email ADDRESS.");
      return async (deps, reason) => factsOf(await find(deps, email, reason));
    },
  },
  show: act("show", "", show),
  grant: {
    takes: "USER_ID --year 1 --month 2",
    says: "after a bank transfer, for example",
    options: {
      year: "whole years",
      month: "whole months",
      "grant-id": "a UUID; a grant that is repeated with the same one counts once",
    },
    read: (words, values) => {
      const userId = oneWord(words, "members grant takes one USER_ID.");
      const wish = plan(values, "members grant needs --year or --month.");
      const grantId = uuid(values["grant-id"] ?? randomUUID(), "--grant-id must be a UUID.");
      return async (deps, reason) => factsOf(await grant(deps, userId, { ...wish, grantId, reason }));
    },
  },
  suspend: act("suspend", "out at once, and seen by nobody", suspend),
  restore: act("restore", "", restore),
  delete: act("delete", "cannot be undone", remove),
};
