import { getOptions, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import type { ResponseOf } from "@alcove/contract/call";
import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import type { PublicUser } from "@alcove/contract/users";
import type { api } from "../../lib/api.ts";

/** Why nobody is left, and what would change that. */
export type EmptyReason = Required<Pick<ResponseOf<typeof getOptions>, "reason">> &
  Omit<ResponseOf<typeof getOptions>, "options" | "reason">;

/** What the home screen shows. */
export interface CandidatesState {
  readonly phase: "loading" | "ready" | "failed";
  readonly options: readonly PublicUser[];
  /** Once nobody is left. */
  readonly emptyReason: EmptyReason | null;
  /** A like or pass is on its way: the buttons wait. */
  readonly isDeciding: boolean;
  /** The last verdict was a pass: it can be taken back. */
  readonly canUndo: boolean;
}

export type Verdict = "like" | "pass";

/**
 * The candidates the client holds, first one shown (specification, section 4): fetched at the start, and again with
 * the ids whenever exactly 10 are held; appended on fetch, cleared on failure, the first removed after a verdict.
 */
export class Candidates {
  readonly #ask: typeof api;
  readonly #listeners = new Set<() => void>();
  #state: CandidatesState = {
    phase: "loading",
    options: [],
    emptyReason: null,
    isDeciding: false,
    canUndo: false,
  };
  #isFetching = false;
  /** Ten are held and the server was asked for more of them already. */
  #hasAskedAtTen = false;

  constructor(ask: typeof api) {
    this.#ask = ask;
  }

  getState = (): CandidatesState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Fetches what comes next. A failure clears the list and is told by `phase`. */
  async load(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      const shown = this.#state.options.map((option) => option.user_id);
      const {
        options,
        reason = "all_seen",
        ...rest
      } = await this.#ask(getOptions, shown.length > 0 ? { ids: shown.join(",") } : {});
      const fresh = options.filter((option) => !shown.includes(option.user_id));
      const all = [...this.#state.options, ...fresh];
      this.#change({
        phase: "ready",
        options: all,
        emptyReason: all.length === 0 ? { reason, ...rest } : null,
      });
    } catch (error) {
      this.#change({ phase: "failed", options: [], emptyReason: null });
      throw error;
    } finally {
      this.#isFetching = false;
    }
    // A first answer of exactly 10 may have more behind it; one that brought nobody new has not.
    if (this.#state.options.length === OPTIONS_PER_FETCH && !this.#hasAskedAtTen) await this.#loadMore();
  }

  async #loadMore(): Promise<void> {
    this.#hasAskedAtTen = true;
    await this.load();
  }

  /**
   * Likes or passes the first candidate, who then leaves the list. Answers whether it made a match.
   *
   * A refusal is thrown, and the candidate stays, except one who has just become unavailable.
   */
  async decide(verdict: Verdict): Promise<{ judged: PublicUser; matched: boolean } | null> {
    const [judged] = this.#state.options;
    if (!judged || this.#state.isDeciding) return null;
    this.#change({ isDeciding: true });
    try {
      const matched =
        verdict === "like"
          ? (await this.#ask(likeUser, { likedId: judged.user_id })).matched
          : (await this.#ask(passUser, { unlikedId: judged.user_id }), false);
      this.remove(judged.user_id);
      this.#change({ canUndo: verdict === "pass" });
      return { judged, matched };
    } catch (error) {
      if ((error as { code?: string }).code === "user_not_found") this.remove(judged.user_id);
      throw error;
    } finally {
      this.#change({ isDeciding: false });
      if (this.#state.options.length === OPTIONS_PER_FETCH) this.#hasAskedAtTen = false;
    }
  }

  /** Takes the last pass back: who was passed is the first card again. Null when the server has nothing to take back. */
  async undo(): Promise<PublicUser | null> {
    if (!this.#state.canUndo || this.#state.isDeciding) return null;
    this.#change({ isDeciding: true });
    try {
      const { user } = await this.#ask(undoPass, {});
      this.#change({ canUndo: false });
      if (user) {
        this.remove(user.user_id); // a fetch may have brought it back meanwhile
        this.#change({ options: [user, ...this.#state.options], emptyReason: null });
      }
      return user;
    } finally {
      this.#change({ isDeciding: false });
      if (this.#state.options.length === OPTIONS_PER_FETCH) this.#hasAskedAtTen = false;
    }
  }

  /** Takes somebody off the list who is not to be shown any more, such as after a block. */
  remove(userId: string): void {
    this.#change({ options: this.#state.options.filter((option) => option.user_id !== userId) });
  }

  /** Fetches when the list asks for it: exactly 10 are held, or nobody is left. */
  async refill(): Promise<void> {
    const held = this.#state.options.length;
    if (held === 0) await this.load();
    else if (held === OPTIONS_PER_FETCH && !this.#hasAskedAtTen) await this.#loadMore();
  }

  #change(to: Partial<CandidatesState>): void {
    this.#state = { ...this.#state, ...to };
    for (const listener of this.#listeners) listener();
  }
}
