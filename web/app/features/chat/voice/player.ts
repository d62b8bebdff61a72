import { banner } from "../../../lib/page/banner.ts";
import { privacyScreen } from "../../../lib/page/privacy-screen.ts";

const SPEEDS = [1, 1.5, 2] as const;
type Speed = (typeof SPEEDS)[number];

export interface PlayerState {
  /** Of the note that plays, waits or was played last. */
  readonly key: string | null;
  /** `asking`: the first note of a visit shows the warning. */
  readonly phase: "stopped" | "asking" | "loading" | "playing" | "paused";
  /** In seconds. */
  readonly position: number;
  readonly speed: Speed;
}

/** A note on the server, or a recording that was not sent yet. */
export type Source = string | Blob;

const STOPPED: PlayerState = { key: null, phase: "stopped", position: 0, speed: 1 };

interface Loaded {
  readonly url: string;
  revoke(): void;
}

type Sound = Pick<
  HTMLAudioElement,
  "src" | "currentTime" | "playbackRate" | "play" | "pause" | "removeAttribute" | "addEventListener"
>;

export interface PlayerDeps {
  createAudio(): Sound;
  load(source: Source): Promise<Loaded>;
  showError(): void;
}

/** Plays one voice note of this tab at a time, and none without a press. */
export class VoicePlayer {
  readonly #deps: PlayerDeps;
  readonly #listeners = new Set<() => void>();
  #state = STOPPED;
  /** Of every note but that one. */
  #others = STOPPED;
  #mayPlay = false;
  /** The same element each time: a browser that wants a press for the first sound allows the others. */
  #audio: Sound | null = null;
  #source: Source | null = null;
  #loaded: (Loaded & { readonly key: string }) | null = null;

  constructor(deps: PlayerDeps) {
    this.#deps = deps;
  }

  stateOf = (key: string): PlayerState => (this.#state.key === key ? this.#state : this.#others);

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Plays the note, or pauses it. The first one of a visit waits for `confirm`. */
  toggle = (key: string, source: Source): void => {
    if (this.#state.key === key && this.#state.phase === "playing") return this.#audio!.pause();
    this.#choose(key, source);
    if (this.#mayPlay) void this.#play();
    else this.#set({ phase: "asking" });
  };

  confirm = (): void => {
    this.#mayPlay = true;
    void this.#play();
  };

  /** Of a note that was not played yet too. */
  playFrom = (key: string, source: Source, position: number): void => {
    this.#choose(key, source);
    if (this.#audio && this.#loaded?.key === key) this.#audio.currentTime = position;
    this.#set({ position });
  };

  changeSpeed = (): void => {
    const speed = SPEEDS[(SPEEDS.indexOf(this.#state.speed) + 1) % SPEEDS.length]!;
    if (this.#audio) this.#audio.playbackRate = speed;
    this.#others = { ...STOPPED, speed };
    this.#set({ speed });
  };

  /** Forgets the sound. Without a key it stops any note. */
  stop = (key: string | null = this.#state.key): void => {
    if (key === null || key !== this.#state.key) return;
    this.#unload();
    this.#set({ key: null, phase: "stopped", position: 0 });
  };

  /** The next note asks again, because others may have come near. */
  endVisit = (): void => {
    this.#mayPlay = false;
    this.stop();
  };

  #choose(key: string, source: Source): void {
    if (this.#state.key === key) return;
    this.#unload();
    this.#source = source;
    this.#set({ key, phase: "stopped", position: 0 });
  }

  async #play(): Promise<void> {
    const { key } = this.#state;
    if (key === null) return;
    const audio = (this.#audio ??= this.#createAudio());
    const isCurrent = () => this.#state.key === key;
    try {
      if (this.#loaded?.key !== key) {
        this.#set({ phase: "loading" });
        const loaded = await this.#deps.load(this.#source!);
        if (!isCurrent()) return loaded.revoke();
        this.#loaded = { key, ...loaded };
        audio.src = loaded.url;
        audio.currentTime = this.#state.position;
      }
      audio.playbackRate = this.#state.speed;
      await audio.play();
    } catch (error) {
      if (!isCurrent()) return;
      this.#set({ phase: "paused" });
      // Some browsers want another press after a slow load, and a pause ends `play`.
      const isHarmless = error instanceof DOMException && /NotAllowed|Abort/.test(error.name);
      if (!isHarmless) this.#deps.showError();
    }
  }

  #createAudio(): Sound {
    const audio = this.#deps.createAudio();
    const ifLoaded = (act: () => void) => () => {
      if (this.#loaded?.key === this.#state.key) act();
    };
    audio.addEventListener(
      "play",
      ifLoaded(() => this.#set({ phase: "playing" })),
    );
    audio.addEventListener(
      "pause",
      ifLoaded(() => this.#set({ phase: "paused" })),
    );
    audio.addEventListener(
      "timeupdate",
      ifLoaded(() => this.#set({ position: audio.currentTime })),
    );
    audio.addEventListener(
      "ended",
      ifLoaded(() => this.#set({ phase: "stopped", position: 0 })),
    );
    return audio;
  }

  #unload(): void {
    const loaded = this.#loaded;
    this.#loaded = null;
    this.#source = null;
    if (!loaded) return;
    this.#audio?.pause();
    this.#audio?.removeAttribute("src");
    loaded.revoke();
  }

  #set(changes: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

/** The whole sound, so that a browser can move in it. */
async function load(source: Source): Promise<Loaded> {
  // Of a message that is not sent yet, and that its outbox revokes.
  if (typeof source === "string" && source.startsWith("blob:")) return { url: source, revoke: () => {} };
  const url = URL.createObjectURL(typeof source === "string" ? await download(source) : source);
  return { url, revoke: () => URL.revokeObjectURL(url) };
}

async function download(path: string): Promise<Blob> {
  const response = await fetch(path);
  if (!response.ok) throw new Error("the voice note could not be loaded");
  return response.blob();
}

export const player = new VoicePlayer({
  createAudio: () => new Audio(),
  load,
  showError: () => banner.alert("voice.failedToLoad"),
});

/** Nothing sounds behind the privacy screen, or in a tab that is not on screen. */
export function stopPlayerWhenHidden(): () => void {
  const stopIfHidden = () => {
    if (document.visibilityState === "hidden" || privacyScreen.isShown()) player.endVisit();
  };
  const unsubscribe = privacyScreen.subscribe(stopIfHidden);
  document.addEventListener("visibilitychange", stopIfHidden);
  return () => {
    unsubscribe();
    document.removeEventListener("visibilitychange", stopIfHidden);
    player.stop();
  };
}
