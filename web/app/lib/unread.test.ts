import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import type { api } from "./api.ts";
import { Unread } from "./unread.ts";

const party = (name: string): Party => ({ user_id: name, username: name, icon: "/media/x" });
const dm = (id: string, from: string, to: string, clientId?: string): Dm => ({
  id,
  sender: party(from),
  receiver: party(to),
  description: "Hello",
  file: null,
  created_at: "2026-11-21T10:00:00.000Z",
  ...(clientId ? { clientId } : {}),
});
const heard = (message: Dm) => ({ kind: "dm" as const, dm: message });
const read = (userId: string, readerId: string, dmId: string) =>
  ({ kind: "read", userId, readerId, dmId }) as const;

/** Hanako's device, whose server answers a list when the test says so. */
function device(onScreen: string[] = []) {
  const waiting: ((list: { matches: Party[]; dms: Dm[]; unread: string[] }) => void)[] = [];
  const ask = () => new Promise((done) => waiting.push(done));
  const unread = new Unread(ask as unknown as typeof api);
  unread.setReadSource((friendId) => onScreen.includes(friendId));
  const answer = async (list: { dms?: Dm[]; unread?: string[] }, which = 0) => {
    waiting.splice(which, 1)[0]!({ matches: [], dms: [], unread: [], ...list });
    await new Promise((done) => setImmediate(done));
  };
  return { unread, answer, shown: () => [...unread.getState()], asks: () => waiting.length };
}

test("what arrives is new until it was read on any device", () => {
  const { unread, shown } = device();

  unread.handle(heard(dm("02", "taro", "hanako")));
  unread.handle(heard(dm("03", "hanako", "jiro", "client-1"))); // her own, from her telephone
  unread.handle({ kind: "match", match: party("saburo") });
  expect(shown()).toEqual(["taro", "saburo"]);

  unread.handle(read("taro", "taro", "01")); // he has read hers: that says nothing of his
  unread.handle(read("taro", "hanako", "01"));
  expect(shown()).toEqual(["taro", "saburo"]);

  unread.handle(read("taro", "hanako", "02"));
  unread.handle({ kind: "seen", userId: "saburo" });
  expect(shown()).toEqual([]);
  unread.handle(heard(dm("02", "taro", "hanako"))); // told of once more
  expect(shown()).toEqual([]);
});

test("the list says what came before, and has no say in what was heard after it was asked for", async () => {
  const { unread, answer, shown } = device();
  void unread.fetchList();
  unread.handle(read("taro", "hanako", "01"));
  unread.handle(heard(dm("02", "jiro", "hanako")));

  await answer({ unread: ["taro", "shiro"], dms: [dm("01", "taro", "hanako")] });

  expect(shown()).toEqual(["shiro", "jiro"]);
});

test("of two lists the one asked for later counts, whichever comes first", async () => {
  const { unread, answer, shown } = device();
  void unread.fetchList();
  void unread.fetchList();

  await answer({ unread: ["taro"] }, 1);
  await answer({ unread: ["jiro"] }, 0);

  expect(shown()).toEqual(["taro"]);
});

test("what the friend takes back may have been all that was new: the server is asked", async () => {
  const { unread, answer, shown, asks } = device();
  unread.handle({ kind: "unsent", userId: "taro", dmId: "01" });
  expect(asks()).toBe(0);

  unread.handle(heard(dm("02", "taro", "hanako")));
  unread.handle({ kind: "unsent", userId: "taro", dmId: "02" });
  await answer({});

  expect(shown()).toEqual([]);
});

test("a conversation that is being looked at has nothing new, not for a moment", async () => {
  const { unread, answer, shown } = device(["taro"]);
  unread.handle(heard(dm("02", "taro", "hanako")));
  expect(shown()).toEqual([]);

  void unread.fetchList();
  await answer({ unread: ["taro"], dms: [dm("02", "taro", "hanako")] });

  expect(shown()).toEqual([]);
});

test("after a logout nothing of it is left, nor of what was asked before it", async () => {
  const { unread, answer, shown } = device();
  unread.handle(heard(dm("02", "taro", "hanako")));
  void unread.fetchList();

  unread.clear();
  await answer({ unread: ["taro"] });

  expect(shown()).toEqual([]);
});
