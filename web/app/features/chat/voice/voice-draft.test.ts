import { beforeEach, expect, test } from "vitest";
import { VOICE } from "@alcove/contract/limits";
import type { Recording } from "./recorder.ts";
import { VoiceDraft } from "./voice-draft.ts";

const recording: Recording = { file: new File(["x"], "voice.wav"), seconds: 2, peaks: [1, 2] };

let now = 0;
let calls: string[] = [];
let errors: unknown[] = [];
let timer: { act: () => void; ms: number } | null = null;
let answer: PromiseWithResolvers<void>;
let draft: VoiceDraft;
beforeEach(() => {
  now = 0;
  calls = [];
  errors = [];
  timer = null;
  answer = Promise.withResolvers();
  draft = new VoiceDraft({
    async start() {
      await answer.promise;
      calls.push("on");
      return {
        level: () => 0,
        cancel: () => void calls.push("off"),
        async finish() {
          calls.push("off");
          return recording;
        },
      };
    },
    showError: (error) => errors.push(error),
    now: () => now,
    setTimer(act, ms) {
      timer = { act, ms };
      return () => (timer = null);
    },
  });
});

const settle = () => new Promise((done) => setTimeout(done));
async function begin(press: () => void) {
  press();
  answer.resolve();
  await settle();
}
const phase = () => draft.getState().phase;

test("records while the button is held", async () => {
  await begin(draft.handleDown);
  expect(draft.getState()).toMatchObject({ phase: "recording", isHeld: true });

  now = 2_000;
  draft.handleUp();
  draft.handleClick();
  await settle();

  expect(draft.getState()).toEqual({ phase: "ready", recording });
  expect(calls).toEqual(["on", "off"]);
});

test("records from a short press to the next one, and by the keyboard alike", async () => {
  await begin(draft.handleDown);
  now = 100;
  draft.handleUp();
  draft.handleClick();
  expect(draft.getState()).toMatchObject({ phase: "recording", isHeld: false });
  draft.handleDown();
  draft.handleUp();
  draft.handleClick();
  await settle();
  expect(phase()).toBe("ready");

  draft.discard();
  await begin(draft.handleClick);
  expect(phase()).toBe("recording");
  draft.handleClick();
  await settle();
  expect(phase()).toBe("ready");
});

test("continues after the question of the browser, for which the member released the button", async () => {
  draft.handleDown();
  now = 3_000;
  draft.handleUp();
  answer.resolve();
  await settle();

  expect(draft.getState()).toMatchObject({ phase: "recording", isHeld: false });
});

test("ends after the longest time", async () => {
  await begin(draft.handleClick);
  expect(timer?.ms).toBe(VOICE.maxSeconds * 1_000);

  timer!.act();
  await settle();

  expect(phase()).toBe("ready");
});

test("turns the microphone off when the recording is deleted, also before it began", async () => {
  await begin(draft.handleClick);
  draft.discard();
  expect([phase(), calls, timer]).toEqual(["none", ["on", "off"], null]);

  answer = Promise.withResolvers();
  draft.handleClick();
  draft.discard();
  answer.resolve();
  await settle();
  expect([phase(), calls]).toEqual(["none", ["on", "off", "on", "off"]]);
});

test("shows why there is no recording", async () => {
  const denied = new Error("denied");
  draft.handleClick();
  answer.reject(denied);
  await settle();

  expect([phase(), errors]).toEqual(["none", [denied]]);
});
