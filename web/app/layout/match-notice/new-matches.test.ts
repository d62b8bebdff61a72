import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { NewMatches } from "./new-matches.ts";

const party = (name: string): Party => ({ user_id: name, username: name, icon: "/media/x" });
const message = (from: string, to: string, clientId?: string): Dm => ({
  id: "0001",
  sender: party(from),
  receiver: party(to),
  description: "Hello",
  file: null,
  created_at: "2026-11-21T10:00:00.000Z",
  ...(clientId ? { clientId } : {}),
});

function notices(list: { matches: Party[]; dms: Dm[] }) {
  const matched = new NewMatches(async () => list);
  const told = () => {
    const names: string[] = [];
    for (let first = matched.getFirst(); first; first = matched.getFirst()) {
      names.push(first.user_id);
      matched.dismiss();
    }
    return names;
  };
  return { matched, told };
}

test("matches that were made without a connection are told of afterwards, those of before are not", async () => {
  const list = { matches: [party("taro")], dms: [message("jiro", "hanako")] };
  const { matched, told } = notices(list);
  await matched.catchUp();
  expect(told()).toEqual([]);

  list.matches.unshift(party("saburo"));
  list.dms.push(message("shiro", "hanako"), message("hanako", "goro", "client-1"));
  await matched.catchUp();
  await matched.catchUp();

  expect(told()).toEqual(["saburo", "shiro"]);
});

test("a match that was told of live is not told of again", async () => {
  const list: { matches: Party[]; dms: Dm[] } = { matches: [], dms: [] };
  const { matched, told } = notices(list);
  await matched.catchUp();

  matched.notify(party("taro"));
  matched.notify(party("taro"));
  list.matches.push(party("taro"));
  await matched.catchUp();

  expect(told()).toEqual(["taro"]);
});

test("after a logout nothing of it is left", async () => {
  const list = { matches: [party("taro")], dms: [] };
  const { matched, told } = notices(list);
  await matched.catchUp();
  matched.notify(party("jiro"));

  matched.clear();
  await matched.catchUp();

  expect(told()).toEqual([]);
});

test("a list that comes after a logout says nothing of the next member's matches", async () => {
  const list = { matches: [party("taro")], dms: [] };
  const { matched, told } = notices(list);
  const late = matched.catchUp();
  matched.clear();
  await late;

  list.matches = [party("naomi")];
  await matched.catchUp();

  expect(told()).toEqual([]);
});
