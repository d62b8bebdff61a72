import { beforeEach, expect, test } from "vitest";
import { VoicePlayer } from "./player.ts";

/** Plays without sound, and reports it as a browser does. */
class FakeAudio extends EventTarget {
  src = "";
  currentTime = 0;
  playbackRate = 1;
  isPlaying = false;
  rejects: Error | null = null;

  async play(): Promise<void> {
    if (this.rejects) throw this.rejects;
    this.isPlaying = true;
    this.dispatchEvent(new Event("play"));
  }
  pause(): void {
    this.isPlaying = false;
    this.dispatchEvent(new Event("pause"));
  }
  removeAttribute(): void {
    this.src = "";
  }
  reach(seconds: number): void {
    this.currentTime = seconds;
    this.dispatchEvent(new Event("timeupdate"));
  }
}

let audio: FakeAudio;
let errors = 0;
let revoked: string[] = [];
let player: VoicePlayer;
beforeEach(() => {
  audio = new FakeAudio();
  errors = 0;
  revoked = [];
  player = new VoicePlayer({
    createAudio: () => audio,
    load: async (source) => {
      if (source === "/missing") throw new Error("404");
      return { url: `blob:${nameOf(source)}`, revoke: () => revoked.push(nameOf(source)) };
    },
    showError: () => errors++,
  });
});

const nameOf = (source: string | Blob) => (typeof source === "string" ? source : "recording");
const phases = () => ["one", "two"].map((key) => player.stateOf(key).phase);
const settle = () => new Promise((done) => setTimeout(done));

test("plays nothing before the warning, once in a visit", async () => {
  player.toggle("one", "/one");
  expect([phases(), audio.isPlaying]).toEqual([["asking", "stopped"], false]);

  player.confirm();
  await settle();
  player.toggle("two", "/two");
  await settle();
  expect([phases(), audio.src]).toEqual([["stopped", "playing"], "blob:/two"]);

  player.endVisit();
  player.toggle("one", "/one");
  expect([phases(), audio.isPlaying]).toEqual([["asking", "stopped"], false]);
});

test("plays one note at a time, pauses it, and goes on where it was", async () => {
  player.toggle("one", "/one");
  player.confirm();
  await settle();
  audio.reach(3);

  player.toggle("one", "/one");
  expect(player.stateOf("one")).toMatchObject({ phase: "paused", position: 3 });
  player.toggle("one", "/one");
  await settle();
  expect([phases(), audio.currentTime]).toEqual([["playing", "stopped"], 3]);

  player.toggle("two", "/two");
  await settle();
  expect([phases(), revoked]).toEqual([["stopped", "playing"], ["/one"]]);
  audio.dispatchEvent(new Event("ended"));
  expect(player.stateOf("two")).toMatchObject({ phase: "stopped", position: 0 });
});

test("keeps the speed for every note, and begins at the chosen place", async () => {
  player.changeSpeed();
  player.playFrom("one", "/one", 4);
  player.toggle("one", "/one");
  player.confirm();
  await settle();

  expect([audio.playbackRate, audio.currentTime, player.stateOf("two").speed]).toEqual([1.5, 4, 1.5]);
  player.changeSpeed();
  player.changeSpeed();
  expect(audio.playbackRate).toBe(1);
});

test("stays silent when the note is left while it loads", async () => {
  player.toggle("one", "/one");
  player.confirm();
  player.stop("one");
  await settle();

  expect([phases(), audio.isPlaying, revoked]).toEqual([["stopped", "stopped"], false, ["/one"]]);
});

test("names a note that cannot be loaded, and waits for another press where the browser wants one", async () => {
  player.toggle("one", "/missing");
  player.confirm();
  await settle();
  expect([phases()[0], errors]).toEqual(["paused", 1]);

  audio.rejects = new DOMException("press first", "NotAllowedError");
  player.toggle("two", "/two");
  await settle();
  expect([phases()[1], errors]).toEqual(["paused", 1]);
});
