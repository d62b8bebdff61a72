import { getOptions, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import type { ResponseOf } from "@alcove/contract/call";
import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import type { PublicUser } from "@alcove/contract/users";
import type { api } from "../../lib/api.ts";

export type EmptyReason = Required<Pick<ResponseOf<typeof getOptions>, "reason">> &
  Omit<ResponseOf<typeof getOptions>, "options" | "reason">;

interface CandidatesState {
  readonly phase: "loading" | "ready" | "failed";
  readonly options: readonly PublicUser[];
  /** Set while there are no candidates. */
  readonly emptyReason: EmptyReason | null;
  /** A like or pass is being sent. */
  readonly isDeciding: boolean;
  /** Only a pass can be undone. */
  readonly canUndo: boolean;
}

export type Verdict = "like" | "pass";

/**
 * Holds the loaded candidates; the first one is shown. Loads more when exactly 10 are held, appends them, and
 * clears the list when loading fails.
 */
export class Candidates {
  readonly #api: typeof api;
  readonly #listeners = new Set<() => void>();
  #state: CandidatesState = {
    phase: "loading",
    options: [],
    emptyReason: null,
    isDeciding: false,
    canUndo: false,
  };
  #isFetching = false;
  /** Prevents a second request while the same 10 candidates are held. */
  #hasLoadedAtTen = false;

  constructor(request: typeof api) {
    this.#api = request;
  }

  getState = (): CandidatesState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async load(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      const shown = this.#state.options.map((option) => option.user_id);
      const {
        options,
        reason = "all_seen",
        ...rest
      } = await this.#api(getOptions, shown.length > 0 ? { ids: shown.join(",") } : {});
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
    // A first response of 10 may have more behind it; a response without new candidates has not.
    if (this.#state.options.length === OPTIONS_PER_FETCH && !this.#hasLoadedAtTen) await this.#loadMore();
  }

  async #loadMore(): Promise<void> {
    this.#hasLoadedAtTen = true;
    await this.load();
  }

  /**
   * Likes or passes the first candidate and removes the card. Returns null if there is none.
   *
   * @throws ApiError; the card stays, except if the candidate no longer exists
   */
  async decide(verdict: Verdict): Promise<{ user: PublicUser; matched: boolean } | null> {
    const [user] = this.#state.options;
    if (!user || this.#state.isDeciding) return null;
    this.#change({ isDeciding: true });
    try {
      const matched =
        verdict === "like"
          ? (await this.#api(likeUser, { likedId: user.user_id })).matched
          : (await this.#api(passUser, { unlikedId: user.user_id }), false);
      this.remove(user.user_id);
      this.#change({ canUndo: verdict === "pass" });
      return { user, matched };
    } catch (error) {
      if ((error as { code?: string }).code === "user_not_found") this.remove(user.user_id);
      throw error;
    } finally {
      this.#change({ isDeciding: false });
      if (this.#state.options.length === OPTIONS_PER_FETCH) this.#hasLoadedAtTen = false;
    }
  }

  /** Undoes the last pass and shows that card first. Returns null if the pass cannot be undone. */
  async undo(): Promise<PublicUser | null> {
    if (!this.#state.canUndo || this.#state.isDeciding) return null;
    this.#change({ isDeciding: true });
    try {
      const { user } = await this.#api(undoPass, {});
      this.#change({ canUndo: false });
      if (user) {
        this.remove(user.user_id); // a response may have added the same user meanwhile
        this.#change({ options: [user, ...this.#state.options], emptyReason: null });
      }
      return user;
    } finally {
      this.#change({ isDeciding: false });
      if (this.#state.options.length === OPTIONS_PER_FETCH) this.#hasLoadedAtTen = false;
    }
  }

  remove(userId: string): void {
    this.#change({ options: this.#state.options.filter((option) => option.user_id !== userId) });
  }

  async refill(): Promise<void> {
    const held = this.#state.options.length;
    if (held === 0) await this.load();
    else if (held === OPTIONS_PER_FETCH && !this.#hasLoadedAtTen) await this.#loadMore();
  }

  #change(changes: Partial<CandidatesState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
