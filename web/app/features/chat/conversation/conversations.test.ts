import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import { ApiError, OfflineError } from "../../../lib/api/errors.ts";
import type { ConversationDeps } from "./conversation.ts";
import { Conversations } from "./conversations.ts";
import { createTransport } from "./transport.ts";

const me = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
const taro = { user_id: "taro", username: "Taro", icon: "/media/t" };

function recordingDeps(calls: string[]): ConversationDeps & { isOffline: boolean } {
  const call = (async (each: { name: string }, input: { clientId?: string; description?: string }) => {
    calls.push(each.name);
    if (deps.isOffline) throw new OfflineError();
    return {
      dm: dmOf("0001", input.description ?? "", input.clientId),
      dms: [],
      has_more: false,
      read_id: null,
      unsent: [],
      unsent_no: 0,
      taken_back: [],
    };
  }) as unknown as ConversationDeps["api"];
  const deps = {
    isOffline: false,
    api: call,
    transport: createTransport({ call, announce: () => undefined, isLocked: () => false }),
    loadOutbox: () => [],
    storeOutbox: () => undefined,
    returnText: () => undefined,
    now: () => new Date(),
    newId: () => "client-1",
    createPreview: () => ({ url: "blob:", revoke: () => undefined }),
    showTyping: async () => undefined,
    setTimer: () => () => undefined,
    reconnect: () => undefined,
    isConnectionOpen: () => true,
    showError: () => undefined,
  };
  return deps;
}

function dmOf(id: string, description: string, clientId?: string): Dm {
  const parties = { sender: me, receiver: taro };
  return {
    id,
    ...parties,
    description,
    file: null,
    voice: null,
    voice_seconds: null,
    created_at: "2026-11-21T10:00:00.000Z",
    reactions: [],
    ...(clientId ? { clientId } : {}),
  };
}

test("sends a waiting message after a reconnect without fetching, when its screen was left", async () => {
  const calls: string[] = [];
  const deps = recordingDeps(calls);
  const conversations = new Conversations();
  deps.isOffline = true;
  await conversations.open("taro", deps).send("hello", null);
  deps.isOffline = false;
  calls.length = 0;

  conversations.handle({ kind: "connected" });
  await expect.poll(() => conversations.open("taro", deps).getState().items[0]?.delivery).toBe("sent");

  expect(calls).toEqual(["sendDm"]);
});

test("keeps a conversation and its new messages when its screen was left", () => {
  const deps = recordingDeps([]);
  const conversations = new Conversations();
  const before = conversations.open("taro", deps);

  conversations.handle({ kind: "dm", dm: { ...dmOf("0002", "are you there?"), sender: taro, receiver: me } });

  expect(conversations.open("taro", deps)).toBe(before);
  expect(before.getState().items.map(({ text }) => text)).toEqual(["are you there?"]);
});

test("shows and sends nothing when the friend is lost, with calls pending", async () => {
  const calls: string[] = [];
  const deps = recordingDeps(calls);
  const conversations = new Conversations();
  const lost = conversations.open("taro", deps);
  const other = conversations.open("jiro", deps);
  deps.isOffline = true;
  await lost.send("hello", null);
  deps.isOffline = false;
  const loading = lost.catchUp();
  calls.length = 0;

  conversations.handle({ kind: "lost", userId: "taro" });
  await loading;
  conversations.handle({ kind: "connected" });

  expect(lost.getState()).toMatchObject({ status: "lost", items: [] });
  expect(other.getState().status).toBe("loading");
  expect(calls).toEqual([]);
});

test("drops all conversations at logout", () => {
  const deps = recordingDeps([]);
  const conversations = new Conversations();
  const before = conversations.open("taro", deps);

  conversations.clear();

  expect(conversations.open("taro", deps)).not.toBe(before);
});

test("passes reads and unsent messages only to their own conversation", () => {
  const deps = recordingDeps([]);
  const conversations = new Conversations();
  const taros = conversations.open("taro", deps);
  const jiros = conversations.open("jiro", deps);
  conversations.handle({ kind: "dm", dm: dmOf("0001", "one") });
  conversations.handle({ kind: "dm", dm: dmOf("0002", "two") });

  conversations.handle({ kind: "read", userId: "taro", readerId: "taro", dmId: "0001" });
  conversations.handle({ kind: "unsent", userId: "taro", dmId: "0002" });

  expect(taros.getState()).toMatchObject({ friendReadId: "0001", items: [{ text: "one" }] });
  expect(jiros.getState().friendReadId).toBeNull();
});

test("sends no waiting message after a logout, however late the first one fails", async () => {
  const calls: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  const send = () =>
    new Promise<never>((_, reject) => {
      calls.push("sendDm");
      fail = reject;
    });
  const deps = { ...recordingDeps(calls), transport: { send } };
  const conversations = new Conversations();
  const first = conversations.open("taro", deps).send("one", null);
  void conversations.open("taro", deps).send("two", null);

  conversations.clear();
  fail(new ApiError(401, {}));
  await first;

  expect(calls).toEqual(["sendDm"]);
});
