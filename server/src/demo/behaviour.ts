import type { Dm } from "@alcove/contract/messaging";
import type { SearchSex, Sex } from "@alcove/contract/users";
import { languages, type Language } from "@alcove/i18n";
import { like } from "../discovery/index.ts";
import {
  findMatchedMember,
  findReceiver,
  markRead,
  createMessageWriter,
  readMessages,
  sendMessage,
  type MessageWriter,
} from "../messaging/index.ts";
import { SECOND_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./demo.sql.ts";
import { SeededRandom } from "./seeded-random.ts";
import { answerTo } from "./replies.ts";
import type { Player } from "./accounts.ts";

const VISITORS = 20;
/** A person reads, thinks and types. */
const PAUSE_MS = [3 * SECOND_MS, 7 * SECOND_MS] as const;
/** The first of the cast like every visitor whom they may meet, and so do a few of the others. */
const FOND = 8;
const FOND_SHARE = 0.04;
const LIKES_BACK_SHARE = 0.55;
const LIKES_AT_ONCE = 10;

interface Act {
  readonly dueAt: number;
  do(): Promise<unknown>;
}

/**
 * What the invented members do: some like a visitor first, about half like back, and who is written to answers.
 *
 * What there is to do is read from the tables each time, so a restart forgets nothing but a pause.
 */
export class Acting {
  readonly #ctx: AppContext;
  readonly #players: ReadonlyMap<number, Player>;
  readonly #messageWriter: MessageWriter;
  /** By what they are about; an act that was done stays, and is not begun again. */
  readonly #acts = new Map<string, Act | "done">();

  constructor(ctx: AppContext, players: ReadonlyMap<number, Player>) {
    this.#ctx = ctx;
    this.#messageWriter = createMessageWriter(ctx);
    this.#players = players;
  }

  /** Sees what there is to do, and does what is due. */
  async act(isOver: () => boolean): Promise<void> {
    if (this.#players.size === 0) return;
    await this.#likeFirst();
    await this.#noticeLikes();
    await this.#noticeMessages();

    const now = this.#ctx.clock.now().getTime();
    for (const [about, act] of this.#acts) {
      if (isOver()) return;
      if (act === "done" || act.dueAt > now) continue;
      this.#acts.set(about, "done");
      await act.do().catch((error: unknown) => {
        // Somebody has left, blocked or spent the day's cards in between.
        if (!(error instanceof ApiError))
          this.#ctx.log.warn({ err: error }, "an invented member failed to act");
      });
    }
  }

  async #likeFirst(): Promise<void> {
    const { db } = this.#ctx;
    const pairs = (await rows.readVisitors(db, VISITORS)).flatMap((visitor) =>
      [...this.#players.values()]
        .filter((player, i) => isFond(i, player, visitor.memberId) && mayMeet(player, visitor))
        .filter((player) => !this.#acts.has(likeOf(player.me.memberId, visitor.memberId)))
        .map((player) => ({ player, visitor })),
    );
    if (pairs.length === 0) return;
    const judged = await rows.readVerdicts(
      db,
      pairs.map(({ player }) => player.me.memberId),
      pairs.map(({ visitor }) => visitor.memberId),
    );
    const known = new Set(judged.map(({ actor, target }) => likeOf(actor, target)));
    const fresh = pairs.filter(
      ({ player, visitor }) => !known.has(likeOf(player.me.memberId, visitor.memberId)),
    );
    for (const about of known) this.#acts.set(about, "done");
    for (const { player, visitor } of fresh.slice(0, LIKES_AT_ONCE)) {
      this.#plan(likeOf(player.me.memberId, visitor.memberId), 0, () =>
        like(this.#ctx, player.me, visitor.userId),
      );
    }
  }

  async #noticeLikes(): Promise<void> {
    const likes = await rows.readLikes(this.#ctx.db, [...this.#players.keys()]);
    const fresh = likes.filter(
      ({ memberId, otherMemberId }) =>
        !this.#players.has(otherMemberId) &&
        !this.#acts.has(likeOf(memberId, otherMemberId)) &&
        likesBack(memberId, otherMemberId),
    );
    const others = await this.#whoAre(fresh);
    for (const { memberId, otherMemberId } of fresh) {
      const other = others.get(otherMemberId);
      const player = this.#players.get(memberId)!;
      if (!other) continue;
      this.#plan(likeOf(memberId, otherMemberId), pause(likeOf(memberId, otherMemberId)), () =>
        like(this.#ctx, player.me, other.userId),
      );
    }
  }

  async #noticeMessages(): Promise<void> {
    const unread = await rows.readUnread(this.#ctx.db, [...this.#players.keys()]);
    const fresh = unread.filter(({ messageId }) => !this.#acts.has(messageId));
    const others = await this.#whoAre(fresh);
    for (const { memberId, otherMemberId, messageId } of fresh) {
      const other = others.get(otherMemberId);
      if (other)
        this.#plan(messageId, pause(messageId), () => this.#answer(this.#players.get(memberId)!, other));
    }
  }

  /** Reads the conversation as anybody would, and answers its last message if that is the other's. */
  async #answer({ me }: Player, other: { userId: string; language: string }): Promise<void> {
    const { dms } = await readMessages(this.#ctx, me, { friendId: other.userId });
    const last = dms.at(-1);
    if (last) await markRead(this.#ctx, me, await findMatchedMember(this.#ctx, me, other.userId), last.id);
    if (!last || last.sender.user_id === me.userId) return;
    const mine = dms.filter((dm: Dm) => dm.sender.user_id === me.userId);
    const description = answerTo(last, {
      said: mine.map((dm) => dm.description ?? ""),
      spoken: languageNamed(other.language),
    });
    const receiver = await findReceiver(this.#ctx, me, other.userId);
    const input = { receiverId: other.userId, description };
    await sendMessage(this.#ctx, this.#messageWriter, me, { input, receiver, replySocket: null });
  }

  async #whoAre(pairs: readonly { otherMemberId: number }[]) {
    const memberIds = [...new Set(pairs.map(({ otherMemberId }) => otherMemberId))];
    const found = memberIds.length === 0 ? [] : await rows.readMembers(this.#ctx.db, memberIds);
    return new Map(found.map((member) => [member.memberId, member]));
  }

  #plan(about: string, pauseMs: number, act: Act["do"]): void {
    this.#acts.set(about, { dueAt: this.#ctx.clock.now().getTime() + pauseMs, do: act });
  }
}

const likeOf = (memberId: number, otherMemberId: number): string => `like ${memberId} ${otherMemberId}`;
const pause = (about: string): number => new SeededRandom(about).integer(...PAUSE_MS);
const likesBack = (memberId: number, otherMemberId: number): boolean =>
  new SeededRandom(`back ${memberId} ${otherMemberId}`).chance(LIKES_BACK_SHARE);
const languageNamed = (name: string): Language => languages.find((language) => language === name) ?? "en";

function isFond(place: number, { role }: Player, visitorMemberId: number): boolean {
  return place < FOND || new SeededRandom(`fond ${role.userId} ${visitorMemberId}`).chance(FOND_SHARE);
}

function mayMeet({ role }: Player, visitor: { sex: Sex; sought: SearchSex }): boolean {
  return admits(role.sought, visitor.sex) && admits(visitor.sought, role.sex);
}

const admits = (sought: SearchSex, sex: Sex): boolean => sought === "all" || sought === sex;
