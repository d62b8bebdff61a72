import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import type { ConversationWorld } from "./conversation.ts";
import { Conversations } from "./conversations.ts";

const me = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
const taro = { user_id: "taro", username: "Taro", icon: "/media/t" };

function worldWith(asked: string[]): ConversationWorld & { isOffline: boolean } {
  const world = {
    isOffline: false,
    ask: (async (call: { name: string }, input: { clientId?: string; description?: string }) => {
      asked.push(call.name);
      if (world.isOffline) throw Object.assign(new Error("offline"), { name: "Offline" });
      return {
        dm: dmOf("0001", input.description ?? "", input.clientId),
        dms: [],
        has_more: false,
        read_id: null,
        unsent: [],
        unsent_no: 0,
      };
    }) as unknown as ConversationWorld["ask"],
    now: () => new Date(),
    newId: () => "client-1",
    show: () => ({ address: "blob:", forget: () => undefined }),
    announce: () => undefined,
    reconnect: () => undefined,
    fail: () => undefined,
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
  await conversations.with("taro", world).send("hello", null);
  world.isOffline = false;
  asked.length = 0;

  conversations.hear({ kind: "connected" });
  await expect.poll(() => conversations.with("taro", world).getState().items[0]?.delivery).toBe("sent");

  expect(asked).toEqual(["sendDm"]);
});

test("who comes back to a conversation finds it as it was, with what came meanwhile", () => {
  const world = worldWith([]);
  const conversations = new Conversations();
  const before = conversations.with("taro", world);

  conversations.hear({ kind: "dm", dm: { ...dmOf("0002", "are you there?"), sender: taro, receiver: me } });

  expect(conversations.with("taro", world)).toBe(before);
  expect(before.getState().items.map(({ text }) => text)).toEqual(["are you there?"]);
});

test("the conversation with a friend who is lost shows nothing and sends nothing, whatever was under way", async () => {
  const asked: string[] = [];
  const world = worldWith(asked);
  const conversations = new Conversations();
  const lost = conversations.with("taro", world);
  const other = conversations.with("jiro", world);
  world.isOffline = true;
  await lost.send("hello", null);
  world.isOffline = false;
  const loading = lost.catchUp();
  asked.length = 0;

  conversations.hear({ kind: "lost", userId: "taro" });
  await loading;
  conversations.hear({ kind: "connected" });

  expect(lost.getState()).toMatchObject({ phase: "closed", items: [] });
  expect(other.getState().phase).toBe("loading");
  expect(asked).toEqual([]);
});

test("after a logout nothing of it is left", () => {
  const world = worldWith([]);
  const conversations = new Conversations();
  const before = conversations.with("taro", world);

  conversations.forget();

  expect(conversations.with("taro", world)).not.toBe(before);
});

test("what was read and taken back reaches the conversation that it is about, and no other", () => {
  const world = worldWith([]);
  const conversations = new Conversations();
  const taros = conversations.with("taro", world);
  const jiros = conversations.with("jiro", world);
  conversations.hear({ kind: "dm", dm: dmOf("0001", "one") });
  conversations.hear({ kind: "dm", dm: dmOf("0002", "two") });

  conversations.hear({ kind: "read", userId: "taro", readerId: "taro", dmId: "0001" });
  conversations.hear({ kind: "unsent", userId: "taro", dmId: "0002" });

  expect(taros.getState()).toMatchObject({ friendReadId: "0001", items: [{ text: "one" }] });
  expect(jiros.getState().friendReadId).toBeNull();
});

test("what a member had written goes out under nobody else's name, whenever the first of it fails", async () => {
  const asked: string[] = [];
  const world = worldWith(asked);
  const { ask } = world;
  let fail: (error: Error) => void = () => undefined;
  world.ask = ((...call: Parameters<typeof ask>) =>
    asked.length > 0
      ? ask(...call)
      : new Promise((_, reject) => {
          asked.push(call[0].name);
          fail = reject;
        })) as typeof ask;
  const conversations = new Conversations();
  const first = conversations.with("taro", world).send("one", null);
  void conversations.with("taro", world).send("two", null);

  conversations.forget();
  fail(Object.assign(new Error("the session is over"), { name: "Refused", status: 401 }));
  await first;

  expect(asked).toEqual(["sendDm"]);
});
