import { getOptions, undoPass, type Verdict } from "@alcove/contract/discovery";
import type { ResponseOf } from "@alcove/contract/call";
import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import type { Party, PublicUser } from "@alcove/contract/users";
import { sendVerdict } from "../../features/verdict/send-verdict.ts";
import type { api } from "../../lib/api/api.ts";

const CARD_FRESH_MS = 10 * 60_000;

export type EmptyReason = Required<Pick<ResponseOf<typeof getOptions>, "reason">> &
  Pick<
    ResponseOf<typeof getOptions>,
    "suggestion" | "suggested_max_range" | "next_card_at" | "card_day_began_on"
  >;

interface Decided {
  readonly user: PublicUser;
  readonly verdict: Verdict;
}

interface CandidatesState {
  readonly phase: "loading" | "ready" | "failed";
  readonly options: readonly PublicUser[];
  /** Set while there are no candidates. */
  readonly emptyReason: EmptyReason | null;
  /** The last decision, while it can be undone. */
  readonly undoable: Verdict | null;
  /** Absent for free members. */
  readonly likesLeft: number | undefined;
  /** The chosen hour at which the card came. */
  readonly cameAt: string | undefined;
  /** The card of yesterday that can still be brought back. */
  readonly passedYesterday: Party | undefined;
}

/**
 * Holds the loaded candidates; the first one is shown. Loads more when exactly 10 are held, appends them, and
 * clears the list when loading fails. A decision removes its card at once; requests follow in order.
 */
export class Candidates {
  readonly #api: typeof api;
  readonly #listeners = new Set<() => void>();
  #state: CandidatesState;
  #loading: Promise<void> | null = null;
  #loadedAt = 0;
  /** Prevents a second request while the same 10 candidates are held. */
  #hasLoadedAtTen = false;
  #lastRequest: Promise<unknown> = Promise.resolve();
  /** Decisions on their way to the server. */
  readonly #sending = new Set<string>();
  /** The decision that the server would undo; unknown at the start, and none after a match. */
  #last: Decided | null = null;
  /** The same as shown, while its request is on its way. */
  #shown: Decided | null = null;
  #failed: Decided | null = null;

  constructor(request: typeof api, undoable: Verdict | null = null) {
    this.#api = request;
    this.#state = {
      phase: "loading",
      options: [],
      emptyReason: null,
      undoable,
      likesLeft: undefined,
      cameAt: undefined,
      passedYesterday: undefined,
    };
  }

  getState = (): CandidatesState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads a single held card again once it is older than ten minutes: its person may be gone, or another one's turn. */
  async refresh(): Promise<void> {
    const isOld = Date.now() - this.#loadedAt > CARD_FRESH_MS;
    if (isOld && this.#state.options.length === 1 && this.#sending.size === 0) await this.load(true);
  }

  /** Loads the held cards again, unless one is being decided. */
  async reload(): Promise<void> {
    if (this.#state.phase === "ready" && this.#sending.size === 0) await this.load(true);
  }

  /** @param isReplaced whether the held cards are loaded again; they stay if that fails, or if one is decided meanwhile */
  async load(isReplaced = false): Promise<void> {
    this.#loading ??= this.#fetch(isReplaced).finally(() => (this.#loading = null));
    await this.#loading;
    // A first response of 10 may have more behind it; a response without new candidates has not.
    if (this.#state.options.length === OPTIONS_PER_FETCH && !this.#hasLoadedAtTen) await this.#loadMore();
  }

  async #fetch(isReplaced: boolean): Promise<void> {
    const held = isReplaced ? [] : this.#state.options;
    const before = this.#state.options;
    try {
      const shown = [...held.map((option) => option.user_id), ...this.#sending];
      const {
        options,
        reason = "all_seen",
        likes_left: likesLeft,
        card_came_at: cameAt,
        passed_yesterday: passedYesterday,
        ...rest
      } = await this.#api(getOptions, shown.length > 0 ? { ids: shown.join(",") } : {});
      const fresh = options.filter((option) => !shown.includes(option.user_id));
      if (isReplaced && this.#state.options !== before) return;
      const all = [...(isReplaced ? [] : this.#state.options), ...fresh];
      this.#loadedAt = Date.now();
      this.#change({
        phase: "ready",
        options: all,
        emptyReason: all.length === 0 ? { reason, ...rest } : null,
        likesLeft,
        cameAt,
        passedYesterday,
      });
    } catch (error) {
      if (!isReplaced) this.#change({ phase: "failed", options: [], emptyReason: null });
      throw error;
    }
  }

  async #loadMore(): Promise<void> {
    this.#hasLoadedAtTen = true;
    await this.load();
  }

  /**
   * Likes or passes the first candidate, whose card is removed at once. Returns null if there is none.
   *
   * @param isGone is waited for before a failed card comes back
   * @throws ApiError; the card comes back, except if the candidate no longer exists
   */
  async decide(
    verdict: Verdict,
    isGone: Promise<void> = Promise.resolve(),
  ): Promise<{ user: PublicUser; matched: boolean } | null> {
    const [user, ...rest] = this.#state.options;
    if (!user) return null;
    this.#sending.add(user.user_id);
    const wasUndoable = this.#state.undoable;
    const decided = { user, verdict };
    this.#shown = decided;
    this.#change({ options: rest, undoable: verdict, passedYesterday: undefined });
    try {
      const matched = await this.#inOrder(() => this.#send(decided));
      // While the last card leaves, so that its place is not empty for long. `refill` shows a failure.
      if (this.#state.options.length === 0) this.load().catch(() => undefined);
      await isGone;
      return { user, matched };
    } catch (error) {
      await isGone;
      const isMissing = (error as { code?: string }).code === "user_not_found";
      this.#shown = this.#last;
      this.#change({ undoable: wasUndoable && (this.#last?.verdict ?? null) });
      if (!isMissing) this.#putFirst(user);
      throw error;
    } finally {
      this.#sending.delete(user.user_id);
      if (this.#state.options.length === OPTIONS_PER_FETCH) this.#hasLoadedAtTen = false;
    }
  }

  async #send(decided: Decided): Promise<boolean> {
    const { user, verdict } = decided;
    this.#failed = decided;
    const matched = await sendVerdict(this.#api, user.user_id, verdict);
    this.#failed = null;
    this.#last = matched ? null : decided;
    if (matched && this.#shown === decided) this.#change({ undoable: null });
    const { likesLeft } = this.#state;
    if (verdict === "like" && likesLeft !== undefined)
      this.#change({ likesLeft: Math.max(0, likesLeft - 1) });
    return matched;
  }

  /** Undoes the last decision and shows that card first. Returns null if it cannot be undone, as after a match. */
  async undo(): Promise<PublicUser | null> {
    if (this.#state.undoable === null) return null;
    const shown = this.#shown;
    this.#change({ undoable: null });
    return this.#inOrder(async () => {
      if (shown && shown === this.#failed) return shown.user; // its card comes back anyway
      if (shown && shown !== this.#last) return null;
      const { user } = await this.#api(undoPass, {});
      this.#last = null;
      if (user) this.#putFirst(user);
      if (this.#state.options.length === OPTIONS_PER_FETCH) this.#hasLoadedAtTen = false;
      return user;
    });
  }

  /** Brings the card of yesterday back in place of today's. Returns null if it is too late. */
  async undoYesterday(): Promise<PublicUser | null> {
    return this.#inOrder(async () => {
      const { user } = await this.#api(undoPass, {});
      this.#change({ passedYesterday: undefined });
      if (user) this.#change({ options: [user], emptyReason: null, cameAt: undefined });
      return user;
    });
  }

  remove(userId: string): void {
    this.#change({ options: this.#state.options.filter((option) => option.user_id !== userId) });
  }

  async refill(): Promise<void> {
    const held = this.#state.options.length;
    if (held === 0 && this.#state.emptyReason === null) await this.load();
    else if (held === OPTIONS_PER_FETCH && !this.#hasLoadedAtTen) await this.#loadMore();
  }

  /** A response may have added the same user meanwhile. */
  #putFirst(user: PublicUser): void {
    const others = this.#state.options.filter(({ user_id }) => user_id !== user.user_id);
    this.#change({ options: [user, ...others], emptyReason: null });
  }

  #inOrder<T>(request: () => Promise<T>): Promise<T> {
    const result = this.#lastRequest.then(request);
    this.#lastRequest = result.catch(() => undefined);
    return result;
  }

  #change(changes: Partial<CandidatesState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
