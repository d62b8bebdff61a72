import { isConversationGone } from "./conversation-status.ts";
import type { MessageHistory, MessagePage, PageRequest as HistoryRequest } from "./message-history.ts";

/** A page is fetched after this many events, in case one was lost. */
const EVENTS_UNTIL_FETCH = 100;

interface PageRequest extends HistoryRequest {
  /** A page that was requested later has been applied. */
  isOutdated: boolean;
  ignoresReads: boolean;
}

export interface HistorySyncDeps {
  fetchPage(cursor: ReturnType<MessageHistory["cursor"]>): Promise<MessagePage>;
  onPage(page: MessagePage, firstPage: { hasOlder: boolean } | null): void;
}

/** Brings a history up to date, page by page. Responses may arrive late or in any order. */
export class HistorySync {
  readonly #history: MessageHistory;
  readonly #deps: HistorySyncDeps;
  readonly #requests = new Set<PageRequest>();
  #currentRun: symbol | null = null;
  #eventsSinceFetch = 0;

  constructor(history: MessageHistory, deps: HistorySyncDeps) {
    this.#history = history;
    this.#deps = deps;
  }

  /** Ends the previous run, whose response may never arrive. Returns true when the history is complete. */
  async run(): Promise<boolean> {
    const run = Symbol("run");
    this.#currentRun = run;
    try {
      for (let hasMore = true; hasMore && run === this.#currentRun;) hasMore = await this.#fetchNext();
    } catch (error) {
      if (run === this.#currentRun || isConversationGone(error)) throw error;
    }
    return run === this.#currentRun;
  }

  countEvent(): boolean {
    return ++this.#eventsSinceFetch >= EVENTS_UNTIL_FETCH;
  }

  ignorePendingReads(): void {
    for (const request of this.#requests) request.ignoresReads = true;
  }

  stop(): void {
    this.#currentRun = null;
    for (const request of this.#requests) request.isOutdated = true;
  }

  async #fetchNext(): Promise<boolean> {
    const request: PageRequest = { ...this.#history.request(), isOutdated: false, ignoresReads: false };
    const cursor = this.#history.cursor();
    this.#requests.add(request);
    this.#eventsSinceFetch = 0;
    try {
      const page = await this.#deps.fetchPage(cursor);
      return request.isOutdated ? false : this.#apply(request, page, cursor.afterId ?? null);
    } finally {
      this.#requests.delete(request);
    }
  }

  #apply(request: PageRequest, page: MessagePage, afterId: string | null): boolean {
    for (const earlier of this.#requests) {
      if (earlier === request) break;
      earlier.isOutdated = true;
    }
    // Another newest page arrived meanwhile: the messages after that one are fetched next.
    if (afterId === null && this.#history.lastId !== null) return true;
    const hasMore = afterId !== null && this.#history.applyNewer(page, request, afterId);
    if (afterId === null && !this.#history.applyNewest(page, request)) return true;
    const current = request.ignoresReads ? { ...page, read_id: null } : page;
    this.#deps.onPage(current, afterId === null ? { hasOlder: page.has_more } : null);
    return hasMore;
  }
}
