import type { Dm } from "@alcove/contract/messaging";
import type { SearchSex, Sex } from "@alcove/contract/users";
import { languages, type Language } from "@alcove/i18n";
import { like } from "../discovery/index.ts";
import {
  findFriend,
  findReceiver,
  markRead,
  messageStore,
  readMessages,
  sendMessage,
  type StoreMessage,
} from "../messaging/index.ts";
import { SECOND_MS } from "../platform/clock.ts";
import type { Deps } from "../platform/deps.ts";
import { Refusal } from "../platform/refuse.ts";
import * as rows from "./demo.sql.ts";
import { diceOf } from "./dice.ts";
import { answerTo } from "./answers.ts";
import type { Player } from "./players.ts";

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
  readonly #deps: Deps;
  readonly #players: ReadonlyMap<number, Player>;
  readonly #store: StoreMessage;
  /** By what they are about; an act that was done stays, and is not begun again. */
  readonly #acts = new Map<string, Act | "done">();

  constructor(deps: Deps, players: ReadonlyMap<number, Player>) {
    this.#deps = deps;
    this.#store = messageStore(deps);
    this.#players = players;
  }

  /** Sees what there is to do, and does what is due. */
  async act(isOver: () => boolean): Promise<void> {
    if (this.#players.size === 0) return;
    await this.#likeFirst();
    await this.#noticeLikes();
    await this.#noticeMessages();

    const now = this.#deps.clock.now().getTime();
    for (const [about, act] of this.#acts) {
      if (isOver()) return;
      if (act === "done" || act.dueAt > now) continue;
      this.#acts.set(about, "done");
      await act.do().catch((error: unknown) => {
        // Somebody has left, blocked or spent the day's cards in between.
        if (!(error instanceof Refusal))
          this.#deps.log.warn({ err: error }, "an invented member failed to act");
      });
    }
  }

  async #likeFirst(): Promise<void> {
    const { db } = this.#deps;
    const pairs = (await rows.readVisitors(db, VISITORS)).flatMap((visitor) =>
      [...this.#players.values()]
        .filter((player, i) => isFond(i, player, visitor.no) && mayMeet(player, visitor))
        .filter((player) => !this.#acts.has(likeOf(player.me.no, visitor.no)))
        .map((player) => ({ player, visitor })),
    );
    if (pairs.length === 0) return;
    const judged = await rows.readVerdicts(
      db,
      pairs.map(({ player }) => player.me.no),
      pairs.map(({ visitor }) => visitor.no),
    );
    const known = new Set(judged.map(({ actor, target }) => likeOf(actor, target)));
    const fresh = pairs.filter(({ player, visitor }) => !known.has(likeOf(player.me.no, visitor.no)));
    for (const about of known) this.#acts.set(about, "done");
    for (const { player, visitor } of fresh.slice(0, LIKES_AT_ONCE)) {
      this.#plan(likeOf(player.me.no, visitor.no), 0, () => like(this.#deps, player.me, visitor.userId));
    }
  }

  async #noticeLikes(): Promise<void> {
    const likes = await rows.readLikes(this.#deps.db, [...this.#players.keys()]);
    const fresh = likes.filter(
      ({ no, otherNo }) =>
        !this.#players.has(otherNo) && !this.#acts.has(likeOf(no, otherNo)) && likesBack(no, otherNo),
    );
    const others = await this.#whoAre(fresh);
    for (const { no, otherNo } of fresh) {
      const other = others.get(otherNo);
      const player = this.#players.get(no)!;
      if (!other) continue;
      this.#plan(likeOf(no, otherNo), pause(likeOf(no, otherNo)), () =>
        like(this.#deps, player.me, other.userId),
      );
    }
  }

  async #noticeMessages(): Promise<void> {
    const unread = await rows.readUnread(this.#deps.db, [...this.#players.keys()]);
    const fresh = unread.filter(({ messageId }) => !this.#acts.has(messageId));
    const others = await this.#whoAre(fresh);
    for (const { no, otherNo, messageId } of fresh) {
      const other = others.get(otherNo);
      if (other) this.#plan(messageId, pause(messageId), () => this.#answer(this.#players.get(no)!, other));
    }
  }

  /** Reads the conversation as anybody would, and answers its last message if that is the other's. */
  async #answer({ me }: Player, other: { userId: string; language: string }): Promise<void> {
    const { dms } = await readMessages(this.#deps, me, { friendId: other.userId });
    const last = dms.at(-1);
    if (last) await markRead(this.#deps, me, await findFriend(this.#deps, me, other.userId), last.id);
    if (!last || last.sender.user_id === me.userId) return;
    const mine = dms.filter((dm: Dm) => dm.sender.user_id === me.userId);
    const description = answerTo(last, {
      said: mine.map((dm) => dm.description ?? ""),
      spoken: languageNamed(other.language),
    });
    const receiver = await findReceiver(this.#deps, me, other.userId);
    const form = { receiverId: other.userId, description };
    await sendMessage(this.#deps, this.#store, me, { form, receiver, over: null });
  }

  async #whoAre(pairs: readonly { otherNo: number }[]) {
    const nos = [...new Set(pairs.map(({ otherNo }) => otherNo))];
    const found = nos.length === 0 ? [] : await rows.readMembers(this.#deps.db, nos);
    return new Map(found.map((member) => [member.no, member]));
  }

  #plan(about: string, pauseMs: number, act: Act["do"]): void {
    this.#acts.set(about, { dueAt: this.#deps.clock.now().getTime() + pauseMs, do: act });
  }
}

const likeOf = (no: number, otherNo: number): string => `like ${no} ${otherNo}`;
const pause = (about: string): number => diceOf(about).whole(...PAUSE_MS);
const likesBack = (no: number, otherNo: number): boolean =>
  diceOf(`back ${no} ${otherNo}`).happens(LIKES_BACK_SHARE);
const languageNamed = (name: string): Language => languages.find((language) => language === name) ?? "en";

function isFond(place: number, { role }: Player, visitorNo: number): boolean {
  return place < FOND || diceOf(`fond ${role.userId} ${visitorNo}`).happens(FOND_SHARE);
}

function mayMeet({ role }: Player, visitor: { sex: Sex; sought: SearchSex }): boolean {
  return admits(role.sought, visitor.sex) && admits(visitor.sought, role.sex);
}

const admits = (sought: SearchSex, sex: Sex): boolean => sought === "all" || sought === sex;
