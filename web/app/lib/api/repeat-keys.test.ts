import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contactSupport } from "@alcove/contract/contact";
import { resetPassword } from "@alcove/contract/passwords";
import { getOptions, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import { readDm, sendDm } from "@alcove/contract/messaging";
import { previewSignUpIcon } from "@alcove/contract/accounts";
import type { Call } from "@alcove/contract/call";
import { sendCall } from "./send-call.ts";
import { withKey } from "./repeat-keys.ts";

type Answer = "lost" | "proxy" | "running" | Response;

const ERRORS: Record<string, () => Promise<Response>> = {
  lost: async () => Promise.reject(new TypeError("Failed to fetch")),
  proxy: async () => new Response("", { status: 502 }),
  running: async () => Response.json({ code: "idempotency_key_in_use" }, { status: 409 }),
};

let keys: (string | null)[] = [];
let answers: Answer[] = [];

beforeEach(() => {
  [keys, answers] = [[], []];
  vi.stubGlobal("location", { pathname: "/en" });
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get("idempotency-key"));
    const answer = answers.shift() ?? Response.json(true);
    return typeof answer === "string" ? ERRORS[answer]!() : answer;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function press(call: Call, input: object): Promise<void> {
  const sent = withKey(call, input as never, (key) => sendCall(call, input as never, "token", { key }));
  await sent.catch(() => undefined);
}

const form = () => ({
  email: "hanako@example.com",
  code: "12345678",
  password: "a",
  passwordConfirmation: "a",
});

test("repeats an action under its key while its response is lost, and then has a new one", async () => {
  answers = ["lost", "proxy", "running", Response.json({ code: "fault" }, { status: 500 })];

  for (let at = 0; at < 6; at++) await press(resetPassword, form());

  const [key, ...others] = keys;
  expect(key).toMatch(/^[\da-f-]{36}$/);
  expect(others.slice(0, 4)).toEqual([key, key, key, key]);
  expect(others[4]).not.toBe(key);
});

test("keeps the key of an action that solves another bot check", async () => {
  answers = ["lost"];
  const question = { email: "hanako@example.com", message: "Hello", recaptchaAction: "Contact" };

  for (const recaptchaToken of ["first", "second"])
    await press(contactSupport, { ...question, recaptchaToken });

  expect(keys[1]).toBe(keys[0]);
});

test.each<[string, Call, object, Call, object]>([
  ["other fields", resetPassword, form(), resetPassword, { ...form(), code: "87654321" }],
  ["a further field", resetPassword, form(), resetPassword, { ...form(), return_user_id: true }],
  ["another call", likeUser, { likedId: "taro" }, passUser, { unlikedId: "taro" }],
  [
    "another file",
    previewSignUpIcon,
    { icon: new File(["a"], "a") },
    previewSignUpIcon,
    { icon: new File(["b"], "a") },
  ],
])("has a new key for %s", async (_, call, input, next, nextInput) => {
  answers = ["lost"];

  await press(call, input);
  await press(next, nextInput);

  expect(keys[0]).not.toBe(keys[1]);
});

test("has a new key for the same action after another change", async () => {
  answers = ["lost"];

  await press(passUser, { unlikedId: "taro" });
  await press(undoPass, {});
  await press(passUser, { unlikedId: "taro" });

  expect(new Set(keys).size).toBe(3);
});

test("has a new key five minutes after the last attempt, because another device may have reversed the change", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  answers = ["lost", "lost"];

  for (const waitMs of [0, 4 * 60_000, 6 * 60_000]) {
    vi.setSystemTime(Date.now() + waitMs);
    await press(likeUser, { likedId: "taro" });
  }

  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("forgets the input of a lost action after five minutes, also with a clock that was set back", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  answers = ["lost"];

  await press(resetPassword, form());
  vi.advanceTimersByTime(5 * 60_000);
  await press(resetPassword, form());

  expect(keys[1]).not.toBe(keys[0]);
});

test("sends no key with reads, read marks, and messages, which have an id", async () => {
  await press(getOptions, {});
  await press(readDm, { friendId: "taro" });
  await press(sendDm, { receiverId: "taro", description: "a", clientId: crypto.randomUUID() });

  expect(keys).toEqual([null, null, null]);
});
