import { VOICE } from "@alcove/contract/limits";
import type { Recorder, Recording } from "./recorder.ts";

/** A shorter press begins a recording that another one ends. */
const HOLD_MS = 400;

export type VoiceDraftState =
  | { readonly phase: "none" | "starting" | "encoding" }
  | { readonly phase: "recording"; readonly recorder: Pick<Recorder, "level">; readonly isHeld: boolean }
  | { readonly phase: "ready"; readonly recording: Recording };

export interface VoiceDraftDeps {
  /** Asks for the microphone. */
  start(): Promise<Pick<Recorder, "level" | "finish" | "cancel">>;
  showError(error: unknown): void;
  now(): number;
  /** Returns a function that cancels the timer. */
  setTimer(act: () => void, ms: number): () => void;
}

/** A voice note from the first press of the microphone's button until it is sent or deleted. */
export class VoiceDraft {
  readonly #deps: VoiceDraftDeps;
  readonly #listeners = new Set<() => void>();
  #state: VoiceDraftState = { phase: "none" };
  #recorder: Awaited<ReturnType<VoiceDraftDeps["start"]>> | null = null;
  /** Rises with each end, so that a late step of an ended recording has no effect. */
  #attempt = 0;
  /** When a finger or the mouse went down; null after it went up, and for the keyboard. */
  #downAt: number | null = null;
  /** The click at the end of the press that began the recording. */
  #ignoresClick = false;
  #stopTimer: () => void = () => {};

  constructor(deps: VoiceDraftDeps) {
    this.#deps = deps;
  }

  getState = (): VoiceDraftState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  handleDown = (): void => {
    this.#ignoresClick = this.#state.phase === "none";
    if (!this.#ignoresClick) return;
    this.#downAt = this.#deps.now();
    void this.#start();
  };

  /** Ends a held recording. After a short press, or while the browser asks for the microphone, it goes on. */
  handleUp = (): void => {
    if (this.#downAt === null) return;
    const wasHeld = this.#deps.now() - this.#downAt >= HOLD_MS;
    this.#downAt = null;
    if (this.#state.phase !== "recording") return;
    if (wasHeld) void this.finish();
    else this.#set({ ...this.#state, isHeld: false });
  };

  handleCancel = (): void => {
    this.#ignoresClick = false;
    this.handleUp();
  };

  /** Of the keyboard, of assistive technology, and the second press. */
  handleClick = (): void => {
    const isOwn = this.#ignoresClick;
    this.#ignoresClick = false;
    if (isOwn) return;
    if (this.#state.phase === "none") void this.#start();
    else if (this.#state.phase === "recording") void this.finish();
    else if (this.#state.phase === "starting") this.discard();
  };

  async finish(): Promise<void> {
    const recorder = this.#recorder;
    if (!recorder) return;
    const attempt = this.#attempt;
    this.#recorder = null;
    this.#stopTimer();
    this.#set({ phase: "encoding" });
    try {
      const recording = await recorder.finish();
      if (attempt === this.#attempt) this.#set({ phase: "ready", recording });
    } catch (error) {
      this.#fail(attempt, error);
    }
  }

  discard = (): void => {
    this.#attempt++;
    this.#downAt = null;
    this.#stopTimer();
    this.#recorder?.cancel();
    this.#recorder = null;
    this.#set({ phase: "none" });
  };

  async #start(): Promise<void> {
    const attempt = this.#attempt;
    this.#set({ phase: "starting" });
    try {
      const recorder = await this.#deps.start();
      if (attempt !== this.#attempt) return recorder.cancel();
      this.#recorder = recorder;
      this.#stopTimer = this.#deps.setTimer(() => void this.finish(), VOICE.maxSeconds * 1_000);
      this.#set({ phase: "recording", recorder, isHeld: this.#downAt !== null });
    } catch (error) {
      this.#fail(attempt, error);
    }
  }

  #fail(attempt: number, error: unknown): void {
    if (attempt !== this.#attempt) return;
    this.discard();
    this.#deps.showError(error);
  }

  #set(state: VoiceDraftState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
