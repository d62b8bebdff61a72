/** How often the friend is notified. */
export const TYPING_EVERY_MS = 4_000;
export const TYPING_SHOWN_MS = 6_000;

interface TypingDeps {
  now(): Date;
  /** Returns a function that cancels the timer. */
  setTimer(act: () => void, ms: number): () => void;
  /** Notifies the friend that the member is typing. */
  send(): Promise<unknown>;
}

/** The typing of both sides. A lost sign is not sent again: the next one follows soon. */
export class Typing {
  readonly #deps: TypingDeps;
  readonly #onChange: () => void;
  #cancelTimer: (() => void) | null = null;
  #notifiedAt = -Infinity;

  constructor(deps: TypingDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  get isFriendTyping(): boolean {
    return this.#cancelTimer !== null;
  }

  showFriend(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.setTimer(() => {
      this.#cancelTimer = null;
      this.#onChange();
    }, TYPING_SHOWN_MS);
  }

  hideFriend(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  notify(): void {
    const now = this.#deps.now().getTime();
    if (now - this.#notifiedAt < TYPING_EVERY_MS) return;
    this.#notifiedAt = now;
    this.#deps.send().catch(() => undefined);
  }

  /** After a message, the next character notifies at once. */
  endNotice(): void {
    this.#notifiedAt = -Infinity;
  }
}
