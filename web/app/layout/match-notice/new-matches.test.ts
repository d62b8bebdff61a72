import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { dm, party } from "../../testing/fixtures.ts";
import { NewMatches } from "./new-matches.ts";

function setUp(list: { matches: Party[]; dms: Dm[] }, quiet: readonly string[] = []) {
  const unread = () => {
    const parties = [...list.matches, ...list.dms.map(({ sender }) => sender)];
    return parties.map(({ user_id }) => user_id).filter((userId) => !quiet.includes(userId));
  };
  const newMatches = new NewMatches(async () => ({ ...list, unread: unread() }));
  const shown = () => {
    const names: string[] = [];
    for (let first = newMatches.getFirst(); first; first = newMatches.getFirst()) {
      names.push(first.user_id);
      newMatches.dismiss();
    }
    return names;
  };
  return { newMatches, shown };
}

test("shows matches that were made while offline, but not those of the first list", async () => {
  const list = { matches: [party("taro")], dms: [dm("0001", "jiro", "hanako")] };
  const { newMatches, shown } = setUp(list);
  await newMatches.catchUp();
  expect(shown()).toEqual([]);

  list.matches.unshift(party("saburo"));
  list.dms.push(dm("0001", "shiro", "hanako"), dm("0001", "hanako", "goro", "client-1"));
  await newMatches.catchUp();
  await newMatches.catchUp();

  expect(shown()).toEqual(["saburo", "shiro"]);
});

test("shows no match whom the server lists as announced by nothing", async () => {
  const list: { matches: Party[]; dms: Dm[] } = { matches: [], dms: [] };
  const { newMatches, shown } = setUp(list, ["taro"]);
  await newMatches.catchUp();

  list.matches.push(party("taro"), party("jiro"));
  await newMatches.catchUp();

  expect(shown()).toEqual(["jiro"]);
});

test("shows a match once when an event and the list report it", async () => {
  const list: { matches: Party[]; dms: Dm[] } = { matches: [], dms: [] };
  const { newMatches, shown } = setUp(list);
  await newMatches.catchUp();

  newMatches.notify(party("taro"));
  newMatches.notify(party("taro"));
  list.matches.push(party("taro"));
  await newMatches.catchUp();

  expect(shown()).toEqual(["taro"]);
});

test("shows no match of before a logout", async () => {
  const list = { matches: [party("taro")], dms: [] };
  const { newMatches, shown } = setUp(list);
  await newMatches.catchUp();
  newMatches.notify(party("jiro"));

  newMatches.clear();
  await newMatches.catchUp();

  expect(shown()).toEqual([]);
});

test("ignores a list that arrives after a logout", async () => {
  const list = { matches: [party("taro")], dms: [] };
  const { newMatches, shown } = setUp(list);
  const late = newMatches.catchUp();
  newMatches.clear();
  await late;

  list.matches = [party("naomi")];
  await newMatches.catchUp();

  expect(shown()).toEqual([]);
});
