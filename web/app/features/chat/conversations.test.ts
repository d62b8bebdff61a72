import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import type { ConversationDeps } from "./conversation.ts";
import { Conversations } from "./conversations.ts";

const me = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
const taro = { user_id: "taro", username: "Taro", icon: "/media/t" };

function worldWith(asked: string[]): ConversationDeps & { isOffline: boolean } {
  const world = {
    isOffline: false,
    api: (async (call: { name: string }, input: { clientId?: string; description?: string }) => {
      asked.push(call.name);
      if (world.isOffline) throw Object.assign(new Error("offline"), { name: "OfflineError" });
      return {
        dm: dmOf("0001", input.description ?? "", input.clientId),
        dms: [],
        has_more: false,
        read_id: null,
        unsent: [],
        unsent_no: 0,
      };
    }) as unknown as ConversationDeps["api"],
    now: () => new Date(),
    newId: () => "client-1",
    show: () => ({ address: "blob:", forget: () => undefined }),
    announce: () => undefined,
    reconnect: () => undefined,
    showError: () => undefined,
  };
  return world;
}

function dmOf(id: string, description: string, clientId?: string): Dm {
  const parties = { sender: me, receiver: taro };
  return {
    id,
    ...parties,
    description,
    file: null,
    created_at: "2026-11-21T10:00:00.000Z",
    ...(clientId ? { clientId } : {}),
  };
}

test("a message that waits when its screen is left goes out once there is a connection, and nothing is read", async () => {
  const asked: string[] = [];
  const world = worldWith(asked);
  const conversations = new Conversations();
  world.isOffline = true;
  await conversations.open("taro", world).send("hello", null);
  world.isOffline = false;
  asked.length = 0;

  conversations.handle({ kind: "connected" });
  await expect.poll(() => conversations.open("taro", world).getState().items[0]?.delivery).toBe("sent");

  expect(asked).toEqual(["sendDm"]);
});

test("who comes back to a conversation finds it as it was, with what came meanwhile", () => {
  const world = worldWith([]);
  const conversations = new Conversations();
  const before = conversations.open("taro", world);

  conversations.handle({ kind: "dm", dm: { ...dmOf("0002", "are you there?"), sender: taro, receiver: me } });

  expect(conversations.open("taro", world)).toBe(before);
  expect(before.getState().items.map(({ text }) => text)).toEqual(["are you there?"]);
});

test("the conversation with a friend who is lost shows nothing and sends nothing, whatever was under way", async () => {
  const asked: string[] = [];
  const world = worldWith(asked);
  const conversations = new Conversations();
  const lost = conversations.open("taro", world);
  const other = conversations.open("jiro", world);
  world.isOffline = true;
  await lost.send("hello", null);
  world.isOffline = false;
  const loading = lost.catchUp();
  asked.length = 0;

  conversations.handle({ kind: "lost", userId: "taro" });
  await loading;
  conversations.handle({ kind: "connected" });

  expect(lost.getState()).toMatchObject({ phase: "closed", items: [] });
  expect(other.getState().phase).toBe("loading");
  expect(asked).toEqual([]);
});

test("after a logout nothing of it is left", () => {
  const world = worldWith([]);
  const conversations = new Conversations();
  const before = conversations.open("taro", world);

  conversations.clear();

  expect(conversations.open("taro", world)).not.toBe(before);
});

test("what was read and taken back reaches the conversation that it is about, and no other", () => {
  const world = worldWith([]);
  const conversations = new Conversations();
  const taros = conversations.open("taro", world);
  const jiros = conversations.open("jiro", world);
  conversations.handle({ kind: "dm", dm: dmOf("0001", "one") });
  conversations.handle({ kind: "dm", dm: dmOf("0002", "two") });

  conversations.handle({ kind: "read", userId: "taro", readerId: "taro", dmId: "0001" });
  conversations.handle({ kind: "unsent", userId: "taro", dmId: "0002" });

  expect(taros.getState()).toMatchObject({ friendReadId: "0001", items: [{ text: "one" }] });
  expect(jiros.getState().friendReadId).toBeNull();
});

test("what a member had written goes out under nobody else's name, whenever the first of it fails", async () => {
  const asked: string[] = [];
  const world = worldWith(asked);
  const { api } = world;
  let fail: (error: Error) => void = () => undefined;
  world.api = ((...call: Parameters<typeof api>) =>
    asked.length > 0
      ? api(...call)
      : new Promise((_, reject) => {
          asked.push(call[0].name);
          fail = reject;
        })) as typeof api;
  const conversations = new Conversations();
  const first = conversations.open("taro", world).send("one", null);
  void conversations.open("taro", world).send("two", null);

  conversations.clear();
  fail(Object.assign(new Error("the session is over"), { name: "ApiError", status: 401 }));
  await first;

  expect(asked).toEqual(["sendDm"]);
});
