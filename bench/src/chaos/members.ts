import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { likeUser } from "@alcove/contract/discovery";
import { signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Deployment } from "./deployment.ts";
import { Member } from "./member.ts";
import type { Tally } from "./tally.ts";

/** Numbers of members by their part in the load. */
export interface Sizes {
  readonly chatPairs: number;
  readonly filePairs: number;
  readonly freeLikers: number;
  readonly paidLikers: number;
  readonly inviters: number;
  readonly buyersEach: number;
  readonly others: number;
}

const AT_ONCE = 4;

/** Signs up and matches everybody, before the first failure. */
export async function signUpAll(deployment: Deployment, sizes: Sizes, tally: Tally, random: RandomGenerator) {
  const { urls, mailbox, nodes } = deployment;
  const url = nodes[0].url;
  const create = async (names: readonly string[], overrides: Parameters<typeof signUpForm>[1] = {}) => {
    const members: Member[] = [];
    for (let i = 0; i < names.length; i += AT_ONCE) {
      const some = names
        .slice(i, i + AT_ONCE)
        .map((name) => signUp(url, mailbox, signUpForm(name, overrides)));
      for (const signedUp of await Promise.all(some)) members.push(new Member(signedUp, urls, tally, random));
    }
    return members;
  };
  const named = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
  const pairs = async (name: string, count: number) => {
    const hers = await create(named(`her_${name}`, count));
    const his = await create(named(`his_${name}`, count), { sex: "male" });
    const matched = hers.map((her, i) => [her, his[i]!] as const);
    for (const [her, him] of matched) {
      await her.callWithRetry("like", likeUser, { likedId: him.userId });
      await him.callWithRetry("like", likeUser, { likedId: her.userId });
    }
    return matched;
  };
  const chatPairs = await pairs("chat", sizes.chatPairs);
  const filePairs = await pairs("file", sizes.filePairs);
  const freeLikers = await create(named("free_liker", sizes.freeLikers));
  const paidLikers = await create(named("paid_liker", sizes.paidLikers), { sex: "male" });
  const others = await create(named("other", sizes.others));
  const [prober] = await create(["prober"]);
  const inviters = [];
  for (const member of await create(named("inviter", sizes.inviters))) {
    const names = named(`buyer_of_${member.userId}_`, sizes.buyersEach);
    inviters.push({ member, invited: await create(names, { invited_by_user_id: member.userId }) });
  }
  const buyers = inviters.flatMap(({ invited }) => invited);
  const all = [...chatPairs, ...filePairs].flat().concat(freeLikers, paidLikers, others, buyers, prober!);
  all.push(...inviters.map(({ member }) => member));
  return { chatPairs, filePairs, freeLikers, paidLikers, inviters, buyers, prober: prober!, all };
}

export type Members = Awaited<ReturnType<typeof signUpAll>>;
