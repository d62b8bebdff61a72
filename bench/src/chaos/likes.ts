import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { getUser, likeUser } from "@alcove/contract/discovery";
import { CallError } from "@alcove/test-services/client";
import { pause, split } from "@alcove/test-services/waiting";
import type { Member } from "./member.ts";

interface Liker {
  readonly member: Member;
  readonly quota: number;
  readonly beyond: "upgrade_required" | "likes_used_up";
}

/** Likes beyond the quota, the last ones at once. */
const BEYOND = 5;

/** Members who like more others than their quota allows, some at both servers at the same time. */
export class Likes {
  readonly #likers: readonly Liker[];
  readonly #others: readonly string[];
  readonly #random: RandomGenerator;
  /** Per liker, the acknowledged and the rejected ones. */
  readonly #liked = new Map<string, Set<string>>();
  readonly #rejected = new Map<string, Set<string>>();
  readonly #problems: string[] = [];

  constructor(likers: readonly Liker[], others: readonly string[], random: RandomGenerator) {
    this.#likers = likers;
    this.#others = others;
    this.#random = split(random);
  }

  async run(end: number): Promise<void> {
    await Promise.all(this.#likers.map((liker) => this.#likeUntil(end, liker)));
  }

  async #likeUntil(end: number, { member, quota, beyond }: Liker): Promise<void> {
    this.#liked.set(member.userId, new Set());
    this.#rejected.set(member.userId, new Set());
    const targets = this.#shuffled()
      .filter((userId) => userId !== member.userId)
      .slice(0, quota + BEYOND);
    const pauseMs = Math.max(0, end - performance.now()) / targets.length;
    const last = targets.splice(-2 * BEYOND);
    for (const target of targets) {
      await pause(uniformInt(this.#random, 0, Math.round(1.5 * pauseMs)));
      const twice = uniformInt(this.#random, 1, 3) === 1 ? [target, target] : [target];
      await Promise.all(twice.map((userId) => this.#like(member, userId, beyond)));
    }
    await Promise.all(last.map((userId) => this.#like(member, userId, beyond)));
  }

  async #like(member: Member, likedId: string, beyond: Liker["beyond"]): Promise<void> {
    try {
      await member.callWithRetry("like", likeUser, { likedId });
      this.#liked.get(member.userId)!.add(likedId);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.body["code"] === beyond) this.#rejected.get(member.userId)!.add(likedId);
      else this.#problems.push(`${member.userId} likes ${likedId}: ${error.message}`);
    }
  }

  /** Compares acknowledged likes with stored ones and the quota, and mutual likes with matches. */
  async check(): Promise<string[]> {
    const problems = [...this.#problems];
    for (const { member, quota } of this.#likers) {
      const liked = this.#liked.get(member.userId)!;
      const rejected = this.#rejected.get(member.userId)!;
      if (liked.size !== quota)
        problems.push(`${member.userId}: ${liked.size} likes acknowledged with a quota of ${quota}`);
      for (const userId of new Set([...liked, ...rejected])) {
        const { verdict, matched } = await member.callWithRetry("check", getUser, { userId });
        if ((verdict === "like") !== liked.has(userId))
          problems.push(
            `${member.userId} likes ${userId}: acknowledged ${liked.has(userId)}, stored ${verdict}`,
          );
        const isMutual = liked.has(userId) && this.#liked.get(userId)?.has(member.userId) === true;
        if (matched !== isMutual)
          problems.push(`${member.userId} and ${userId}: mutual ${isMutual}, matched ${matched}`);
      }
    }
    return problems;
  }

  #shuffled(): string[] {
    return this.#others
      .map((userId) => ({ userId, rank: this.#random.next() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ userId }) => userId);
  }
}
