export class PausableTimer {
  readonly #remaining: { current: number };
  readonly #done: () => void;
  #timer: number | null = null;
  #since = 0;

  constructor(remaining: { current: number }, done: () => void) {
    this.#remaining = remaining;
    this.#done = done;
  }

  /** Pauses while the pointer or the focus is in the element. */
  runExceptInUse(element: HTMLElement): void {
    for (const event of ["pointerenter", "focusin"]) element.addEventListener(event, () => this.pause());
    for (const event of ["pointerleave", "focusout"]) element.addEventListener(event, () => this.run());
    this.run();
  }

  run(): void {
    if (this.#timer !== null) return;
    this.#since = performance.now();
    this.#timer = window.setTimeout(this.#done, this.#remaining.current);
  }

  pause(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#remaining.current -= performance.now() - this.#since;
  }
}
