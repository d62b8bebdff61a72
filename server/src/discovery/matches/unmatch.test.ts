import { expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getUser, likeUser, showClearIcon, unmatch } from "@alcove/contract/discovery";
import { getDms, getLastDms, removeEnded, sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { restoreMember, suspendMember } from "../../accounts/index.ts";
import { DAY_MS } from "../../platform/clock.ts";
import { endPartings } from "../../safety/index.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { hanakoAndTaro, match } from "../../testing/match.ts";
import { rounds } from "../../testing/rounds.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import {
  type CallError,
  eventually,
  expectError,
  type TestMember,
  type TestService,
} from "../../testing/test-service.ts";
import { deleteOldEnded } from "./ended-matches.ts";

const unmatchTaro = (hanako: TestMember, goodbye?: number) =>
  hanako.call(unmatch, { userId: "taro", ...(goodbye !== undefined && { goodbye }) });
const endedOf = async (who: TestMember) => (await who.call(getLastDms, {})).ended;

test("ends match, chat, pages, links and pictures for both, and shows it to the other side only", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-05T12:00:00Z");
  const { hanako, taro } = await hanakoAndTaro(service);
  const icon = fileOf(await quarters().png().toBuffer());
  await hanako.call(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
  await hanako.call(showClearIcon, { userId: "taro" });
  const clear = (await taro.call(getUser, { userId: "hanako" })).user.clear_icon!;
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Good evening.", file: icon });
  const events = [await hanako.socket("/ws/events"), await taro.socket("/ws/events")] as const;

  await unmatchTaro(hanako, 3);

  await eventually(() => {
    expect(events[0].frames).toEqual([{ match_ended: { user_id: "taro" } }]);
    expect(events[1].frames).toEqual([{ match_ended: { user_id: "hanako" } }]);
  });
  for (const [who, other] of [
    [hanako, "taro"],
    [taro, "hanako"],
  ] as const) {
    await expectError(who.call(getUser, { userId: other }), "user_not_found");
    await expectError(who.call(likeUser, { likedId: other }), "user_not_found");
    await expectError(who.call(getDms, { friendId: other }), "conversation_not_found");
    await expectError(who.call(sendDm, { receiverId: other, description: "late" }), "conversation_not_found");
    await expectError(who.call(unmatch, { userId: other }), "user_not_found");
    expect(await who.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], unread: [] });
  }
  for (const path of [clear, dm.file!, dm.receiver.icon]) expect((await taro.fetch(path)).status).toBe(404);
  expect(await endedOf(hanako)).toEqual([]);
  expect(await endedOf(taro)).toEqual([
    { id: expect.any(String), matched_on: "2026-05-05", ended_on: "2026-05-05", goodbye: 3 },
  ]);
  await hanako.call(reportUser, { userId: "taro", reason: "other", detail: null, dmId: dm.id });
});

test("responds to strangers and likes as to an unknown user id", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro", { paid: true });
  await taro.call(likeUser, { likedId: "hanako" });
  for (const userId of ["taro", "nobody", "hanako"])
    await expectError(hanako.call(unmatch, { userId }), "user_not_found");
  const error = await unmatchTaro(hanako, 5).catch((reason: unknown) => reason as CallError);
  expect(error).toMatchObject({ status: 400, body: { validation_errors: { goodbye: ["too_big"] } } });
});

test("lets the two meet again after PASS_DAYS", async () => {
  const service = await serviceForTest({ config: { passDays: 3 } });
  let { hanako, taro } = await hanakoAndTaro(service);
  await unmatchTaro(hanako);

  for (const [days, isHidden] of [
    [3, true],
    [1, false],
  ] as const) {
    service.clock.advance(days * DAY_MS);
    await endPartings(service.ctx);
    [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
    const page = hanako.call(getUser, { userId: "taro" });
    if (isHidden) await expectError(page, "user_not_found");
    else expect(await page).toMatchObject({ matched: false, verdict: null });
  }
  await match(hanako, taro);
  expect((await hanako.call(getLastDms, {})).matches).toHaveLength(1);
});

test("shows alike an end by unmatching, block, suspension and deletion", async () => {
  const service = await serviceForTest();
  const { ctx, clock } = service;
  clock.set("2026-05-05T12:00:00Z");
  let taro = await service.member("taro", { paid: true });
  const ends: Record<string, (who: TestMember) => Promise<unknown>> = {
    unmatching: (who) => unmatchTaro(who),
    blocking: (who) => who.call(blockUser, { userId: "taro" }),
    suspended: (who) => suspendMember(ctx, who.memberId),
    left: (who) => who.call(deleteAccount, {}),
  };
  const others = new Map<string, TestMember>();
  for (const name of Object.keys(ends)) others.set(name, await service.member(name, { paid: true }));
  for (const other of others.values()) await match(taro, other);
  const events = await taro.socket("/ws/events");

  for (const [name, end] of Object.entries(ends)) await end(others.get(name)!);

  await eventually(() =>
    expect(events.frames).toEqual(Object.keys(ends).map((user_id) => ({ match_ended: { user_id } }))),
  );
  const row = { id: expect.any(String), matched_on: "2026-05-05", ended_on: "2026-05-05", goodbye: null };
  expect(await endedOf(taro)).toEqual([row, row, row, row]);
  await restoreMember(ctx, others.get("suspended")!.memberId);
  expect(await taro.call(getLastDms, {})).toMatchObject({ matches: [{ user_id: "suspended" }] });
  expect(await endedOf(taro)).toHaveLength(3);

  for (const [at, rows] of [
    ["2026-05-12T23:59:59Z", 3],
    ["2026-05-13T00:00:00Z", 2],
    ["2026-06-04T23:59:59Z", 2],
    ["2026-06-05T00:00:00Z", 0],
  ] as const) {
    clock.set(at);
    await deleteOldEnded(ctx);
    taro = await logInAgain(service, taro);
    expect(await endedOf(taro)).toHaveLength(rows);
    const stored = await service.db.selectFrom("ended_matches").select("ended_id").execute();
    expect(stored).toHaveLength(rows);
  }
});

test("keeps no number of a member who leaves after the end, and drops the rows of one's own", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await unmatchTaro(hanako);
  await hanako.call(deleteAccount, {});
  const stored = () => service.db.selectFrom("ended_matches").select(["member_no", "other_no"]).execute();
  await eventually(async () =>
    expect(await stored()).toEqual([{ member_no: taro.memberId, other_no: null }]),
  );
  await taro.call(deleteAccount, {});
  await eventually(async () => expect(await stored()).toEqual([]));
});

test("removes a row of an ended match, but none of others", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await unmatchTaro(hanako);
  const [row] = await endedOf(taro);

  await expectError(hanako.call(removeEnded, { id: row!.id }), "not_found");
  await taro.call(removeEnded, { id: row!.id });

  expect(await endedOf(taro)).toEqual([]);
  await expectError(taro.call(removeEnded, { id: row!.id }), "not_found");
});

/** Everything that the two members have of each other. */
async function stateOf({ db }: TestService, pair: string) {
  const messages = await db.selectFrom("messages").select("pair").where("pair", "=", pair).execute();
  const hidden = await db.selectFrom("hidden_messages").select("pair").where("pair", "=", pair).execute();
  return { messages: messages.length, hidden: hidden.length };
}

test("has one end and no message after it when both part with a goodbye and write at the same moment", async () => {
  const service = await serviceForTest();
  const pairs: Awaited<ReturnType<typeof hanakoAndTaro>>[] = [];
  // Sign-ups of all at once would wait too long for a connection.
  while (pairs.length < rounds(100)) {
    const numbers = Array.from({ length: 5 }, (_, i) => pairs.length + i + 1);
    pairs.push(...(await Promise.all(numbers.map((number) => hanakoAndTaro(service, number)))));
  }
  await Promise.all(
    pairs.map(({ hanako, taro }) =>
      taro.call(sendDm, { receiverId: hanako.user_id, description: "the first one" }),
    ),
  );
  const settled = async (act: Promise<unknown>) =>
    act.then(
      () => true,
      () => false,
    );

  const outcomes = await Promise.all(
    pairs.map(async ({ hanako, taro }) => ({
      ends: await Promise.all([
        settled(hanako.call(unmatch, { userId: taro.user_id, goodbye: 1 })),
        settled(taro.call(unmatch, { userId: hanako.user_id, goodbye: 2 })),
        settled(taro.call(sendDm, { receiverId: hanako.user_id, description: "a late one" })),
        settled(hanako.call(sendDm, { receiverId: taro.user_id, description: "a late one" })),
      ]),
    })),
  );

  for (const [i, { hanako, taro }] of pairs.entries()) {
    const [byHer, byHim, ...sent] = outcomes[i]!.ends;
    expect([byHer, byHim].filter(Boolean)).toHaveLength(1);
    const [ended, untold] = byHer ? [taro, hanako] : [hanako, taro];
    expect(await endedOf(untold)).toEqual([]);
    expect(await endedOf(ended)).toMatchObject([{ goodbye: byHer ? 1 : 2 }]);
    const [low, high] = [hanako.memberId, taro.memberId].toSorted((a, b) => a - b);
    expect(await stateOf(service, `${low}:${high}`)).toEqual({
      messages: 0,
      hidden: 1 + sent.filter(Boolean).length,
    });
    for (const who of [hanako, taro])
      expect(await who.call(getLastDms, {})).toMatchObject({ matches: [], dms: [] });
  }
  expect((await pairs[0]!.hanako.call(getOwnUser, {})).user.user_id).toBe("hanako1");
}, 120_000);

test("lets a silent match rest, and wakes it by a message, or for the member who opens it", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  let { hanako, taro } = await hanakoAndTaro(service);
  const { hanako: aiko, taro: jiro } = await hanakoAndTaro(service, 2);
  await match(hanako, jiro);
  await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });
  const logIn = async () =>
    ([hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)]);
  const resting = async (who: TestMember) => {
    const { matches, dms } = await who.call(getLastDms, {});
    return [...dms, ...matches].map((row) => row.resting);
  };
  expect(aiko.user_id).toBe("hanako2");

  service.clock.set("2026-05-15T11:59:59Z");
  await logIn();
  expect(await resting(hanako)).toEqual([false, false]);
  service.clock.set("2026-05-16T12:00:00Z");
  await logIn();
  expect([await resting(hanako), await resting(taro)]).toEqual([[true, true], [true]]);

  await hanako.call(getDms, { friendId: "taro" });
  expect([await resting(hanako), await resting(taro)]).toEqual([[false, true], [true]]);
  await hanako.call(sendDm, { receiverId: "taro", description: "Good evening." });
  expect(await resting(taro)).toEqual([false]);
});
