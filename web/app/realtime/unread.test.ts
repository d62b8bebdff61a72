import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import type { api } from "../lib/api/api.ts";
import { dm, party } from "../testing/fixtures.ts";
import { Unread } from "./unread.ts";

const dmEvent = (message: Dm) => ({ kind: "dm" as const, dm: message });
const readEvent = (userId: string, readerId: string, dmId: string) =>
  ({ kind: "read", userId, readerId, dmId }) as const;

function device(onScreen: string[] = []) {
  const waiting: ((list: { matches: Party[]; dms: Dm[]; unread: string[] }) => void)[] = [];
  const call = () => new Promise((done) => waiting.push(done));
  const unread = new Unread(call as unknown as typeof api);
  unread.setReadSource((friendId) => onScreen.includes(friendId));
  const respond = async (list: { dms?: Dm[]; unread?: string[] }, which = 0) => {
    waiting.splice(which, 1)[0]!({ matches: [], dms: [], unread: [], ...list });
    await new Promise((done) => setImmediate(done));
  };
  return { unread, respond, shown: () => [...unread.getState()], pending: () => waiting.length };
}

test("counts a message or match as unread until any device has read it", () => {
  const { unread, shown } = device();

  unread.handle(dmEvent(dm("02", "taro", "hanako")));
  unread.handle(dmEvent(dm("03", "hanako", "jiro", "client-1"))); // her own, from her phone
  unread.handle({ kind: "match", match: party("saburo") });
  expect(shown()).toEqual(["taro", "saburo"]);

  unread.handle(readEvent("taro", "taro", "01")); // he has read her message, not his own
  unread.handle(readEvent("taro", "hanako", "01"));
  expect(shown()).toEqual(["taro", "saburo"]);

  unread.handle(readEvent("taro", "hanako", "02"));
  unread.handle({ kind: "seen", userId: "saburo" });
  expect(shown()).toEqual([]);
  unread.handle(dmEvent(dm("02", "taro", "hanako"))); // published again
  expect(shown()).toEqual([]);
});

test("applies events after the list when they arrived during its request", async () => {
  const { unread, respond, shown } = device();
  void unread.fetchList();
  unread.handle(readEvent("taro", "hanako", "01"));
  unread.handle(dmEvent(dm("02", "jiro", "hanako")));

  await respond({ unread: ["taro", "shiro"], dms: [dm("01", "taro", "hanako")] });

  expect(shown()).toEqual(["shiro", "jiro"]);
});

test("does not count a message that the server marks as quiet", () => {
  const { unread, shown } = device();
  unread.handle({ ...dmEvent(dm("02", "taro", "hanako")), isQuiet: true });
  expect(shown()).toEqual([]);
});

test("ignores a list when a later request's list has arrived", async () => {
  const { unread, respond, shown } = device();
  void unread.fetchList();
  void unread.fetchList();

  await respond({ unread: ["taro"] }, 1);
  await respond({ unread: ["jiro"] }, 0);

  expect(shown()).toEqual(["taro"]);
});

test("fetches the list when an unread message is unsent", async () => {
  const { unread, respond, shown, pending } = device();
  unread.handle({ kind: "unsent", userId: "taro", dmId: "01" });
  expect(pending()).toBe(0);

  unread.handle(dmEvent(dm("02", "taro", "hanako")));
  unread.handle({ kind: "unsent", userId: "taro", dmId: "02" });
  await respond({});

  expect(shown()).toEqual([]);
});

test("never counts a conversation that is on screen", async () => {
  const { unread, respond, shown } = device(["taro"]);
  unread.handle(dmEvent(dm("02", "taro", "hanako")));
  expect(shown()).toEqual([]);

  void unread.fetchList();
  await respond({ unread: ["taro"], dms: [dm("02", "taro", "hanako")] });

  expect(shown()).toEqual([]);
});

test("forgets everything at logout, and ignores a list that was requested before", async () => {
  const { unread, respond, shown } = device();
  unread.handle(dmEvent(dm("02", "taro", "hanako")));
  void unread.fetchList();

  unread.clear();
  await respond({ unread: ["taro"] });

  expect(shown()).toEqual([]);
});
