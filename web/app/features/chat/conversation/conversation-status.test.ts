import { expect, test } from "vitest";
import { hasHistory, nextStatus, type ConversationStatus } from "./conversation-status.ts";

type Transition = Parameters<typeof nextStatus>[1];

function statusesAfter(...transitions: Transition[]): ConversationStatus[] {
  let status: ConversationStatus = "loading";
  return transitions.map((transition) => (status = nextStatus(status, transition)));
}

test("goes from loading to live, and through catchingUp back to live", () => {
  expect(statusesAfter("fetch", "load", "finish", "fetch", "finish")).toEqual([
    "loading",
    "live",
    "live",
    "catchingUp",
    "live",
  ]);
});

test("fails only without a history, and is offline with one", () => {
  expect(statusesAfter("fail", "fetch", "load", "fetch", "fail")).toEqual([
    "failed",
    "failed",
    "live",
    "catchingUp",
    "offline",
  ]);
});

test("never leaves lost", () => {
  expect(new Set(statusesAfter("lose", "fetch", "load", "finish", "fail"))).toEqual(new Set(["lost"]));
});

test("has a history when the first page was loaded and the conversation exists", () => {
  const statuses: ConversationStatus[] = ["loading", "failed", "live", "catchingUp", "offline", "lost"];

  expect(statuses.filter(hasHistory)).toEqual(["live", "catchingUp", "offline"]);
});
