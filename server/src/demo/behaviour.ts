import type { Dm } from "@alcove/contract/messaging";
import { questionOn } from "@alcove/contract/questions";
import type { SearchSex, Sex } from "@alcove/contract/users";
import { like } from "../discovery/index.ts";
import {
  findMatchedMember,
  findReceiver,
  markRead,
  createMessageWriter,
  react,
  readMessages,
  sendMessage,
  type MessageWriter,
} from "../messaging/index.ts";
import { answer, readQuestion } from "../notes/index.ts";
import { SECOND_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { noteDay } from "../profiles/index.ts";
import * as rows from "./demo.sql.ts";
import { hum } from "./hum.ts";
import { SeededRandom } from "./seeded-random.ts";
import { reactionTo, replyTo } from "./replies.ts";
import type { SampleAccount } from "./accounts.ts";
import { withUserIds } from "./user-ids.ts";

const MAX_VISITORS = 20;
const PAUSE_MS = [3 * SECOND_MS, 7 * SECOND_MS] as const;
/** So many who speak the visitor's language like every visitor whose filter admits them. */
const EAGER_MEMBERS = 8;
const FIRST_LIKE_PROBABILITY = 0.04;
const LIKE_BACK_PROBABILITY = 0.55;
const MAX_LIKES_PER_RUN = 10;

interface Action {
  readonly dueAt: number;
  run(): Promise<unknown>;
}

/** Each run reads the tables, so that a restart loses only pauses. */
export class SampleBehaviour {
  readonly #ctx: AppContext;
  readonly #accounts: ReadonlyMap<number, SampleAccount>;
  readonly #messageWriter: MessageWriter;
  /** Keyed by like or message. Done actions stay, so that they are not repeated. */
  readonly #actions = new Map<string, Action | "done">();

  constructor(ctx: AppContext, accounts: ReadonlyMap<number, SampleAccount>) {
    this.#ctx = ctx;
    this.#messageWriter = createMessageWriter(ctx);
    this.#accounts = accounts;
  }

  async run(isStopped: () => boolean): Promise<void> {
    if (this.#accounts.size === 0) return;
    this.#answerQuestion();
    await this.#likeFirst();
    await this.#likeBack();
    await this.#reply();

    const now = this.#ctx.clock.now().getTime();
    for (const [key, action] of this.#actions) {
      if (isStopped()) return;
      if (action === "done" || action.dueAt > now) continue;
      this.#actions.set(key, "done");
      await action.run().catch((error: unknown) => {
        // Expected after a deletion or block, or without likes left.
        if (!(error instanceof ApiError)) this.#ctx.log.warn({ err: error }, "sample member's action failed");
      });
    }
  }

  /** Members who have replied stay as they are. */
  #answerQuestion(): void {
    const number = questionOn(noteDay(this.#ctx));
    for (const { me, profile } of this.#accounts.values()) {
      const text = profile.answers[number - 1];
      const key = `answer ${number} ${me.memberId}`;
      if (text === undefined || this.#actions.has(key)) continue;
      this.#plan(key, 0, async () => {
        const { question } = await readQuestion(this.#ctx, me, profile.language);
        if (question.answer === null)
          await answer(this.#ctx, me, { text, visibility: "public" }, profile.language);
      });
    }
  }

  async #likeFirst(): Promise<void> {
    const { db } = this.#ctx;
    const visitors = await withUserIds(this.#ctx, await rows.readVisitors(db, MAX_VISITORS));
    const pairs = visitors.flatMap((visitor) =>
      [...this.#accounts.values()]
        .filter(({ profile }) => profile.language === visitor.language)
        .filter((account, i) => isEager(i, account, visitor.memberId) && areAdmitted(account, visitor))
        .filter((account) => !this.#actions.has(likeKey(account.me.memberId, visitor.memberId)))
        .map((account) => ({ account, visitor })),
    );
    if (pairs.length === 0) return;
    const verdicts = await rows.readVerdicts(
      db,
      pairs.map(({ account }) => account.me.memberId),
      pairs.map(({ visitor }) => visitor.memberId),
    );
    const known = new Set(verdicts.map(({ actor, target }) => likeKey(actor, target)));
    const fresh = pairs.filter(
      ({ account, visitor }) => !known.has(likeKey(account.me.memberId, visitor.memberId)),
    );
    for (const key of known) this.#actions.set(key, "done");
    for (const { account, visitor } of fresh.slice(0, MAX_LIKES_PER_RUN)) {
      this.#plan(likeKey(account.me.memberId, visitor.memberId), 0, () =>
        like(this.#ctx, account.me, visitor.userId),
      );
    }
  }

  async #likeBack(): Promise<void> {
    const likes = await rows.readLikes(this.#ctx.db, [...this.#accounts.keys()]);
    const fresh = likes.filter(
      ({ memberId, otherMemberId }) =>
        !this.#accounts.has(otherMemberId) &&
        !this.#actions.has(likeKey(memberId, otherMemberId)) &&
        shouldLikeBack(memberId, otherMemberId),
    );
    const others = await this.#readMembers(fresh);
    for (const { memberId, otherMemberId } of fresh) {
      const other = others.get(otherMemberId);
      const account = this.#accounts.get(memberId)!;
      if (!other) continue;
      this.#plan(likeKey(memberId, otherMemberId), pauseMs(likeKey(memberId, otherMemberId)), () =>
        like(this.#ctx, account.me, other.userId),
      );
    }
  }

  async #reply(): Promise<void> {
    const unread = await rows.readUnread(this.#ctx.db, [...this.#accounts.keys()]);
    const fresh = unread.filter(({ messageId }) => !this.#actions.has(messageId));
    const others = await this.#readMembers(fresh);
    for (const { memberId, otherMemberId, messageId } of fresh) {
      const other = others.get(otherMemberId);
      if (other)
        this.#plan(messageId, pauseMs(messageId), () => this.#replyTo(this.#accounts.get(memberId)!, other));
    }
  }

  async #replyTo({ me, profile }: SampleAccount, other: { userId: string }): Promise<void> {
    const { dms } = await readMessages(this.#ctx, me, { friendId: other.userId });
    const last = dms.at(-1);
    if (last) await markRead(this.#ctx, me, await findMatchedMember(this.#ctx, me, other.userId), last.id);
    if (!last || last.sender.user_id === me.userId) return;
    const ownDms = dms.filter((dm: Dm) => dm.sender.user_id === me.userId);
    const description = replyTo(last, {
      previousReplies: ownDms.map((dm) => dm.description ?? dm.voice_text ?? ""),
      voice: profile.voice,
    });
    const reaction = reactionTo(last.id);
    if (reaction) await react(this.#ctx, me, { dmId: last.id, reaction });
    const receiver = await findReceiver(this.#ctx, me, other.userId);
    const content = last.voice === null ? { description } : { voice: hum(), voice_text: description };
    const input = { receiverId: other.userId, ...content };
    await sendMessage(this.#ctx, this.#messageWriter, me, { input, receiver });
  }

  async #readMembers(pairs: readonly { otherMemberId: number }[]) {
    const memberIds = [...new Set(pairs.map(({ otherMemberId }) => otherMemberId))];
    const found = memberIds.length === 0 ? [] : await rows.readMembers(this.#ctx.db, memberIds);
    const named = await withUserIds(this.#ctx, found);
    return new Map(named.map((member) => [member.memberId, member]));
  }

  #plan(key: string, pauseMs: number, run: Action["run"]): void {
    this.#actions.set(key, { dueAt: this.#ctx.clock.now().getTime() + pauseMs, run });
  }
}

const likeKey = (memberId: number, otherMemberId: number): string => `like ${memberId} ${otherMemberId}`;
const pauseMs = (key: string): number => new SeededRandom(key).integer(...PAUSE_MS);
const shouldLikeBack = (memberId: number, otherMemberId: number): boolean =>
  new SeededRandom(`back ${memberId} ${otherMemberId}`).chance(LIKE_BACK_PROBABILITY);

function isEager(index: number, { profile }: SampleAccount, visitorMemberId: number): boolean {
  return (
    index < EAGER_MEMBERS ||
    new SeededRandom(`fond ${profile.userId} ${visitorMemberId}`).chance(FIRST_LIKE_PROBABILITY)
  );
}

function areAdmitted({ profile }: SampleAccount, visitor: { sex: Sex; sought: SearchSex }): boolean {
  return admits(profile.sought, visitor.sex) && admits(visitor.sought, profile.sex);
}

const admits = (sought: SearchSex, sex: Sex): boolean => sought === "all" || sought === sex;
