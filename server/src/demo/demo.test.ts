// @module-tag long
import sharp from "sharp";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, likeUser, saveLocation } from "@alcove/contract/discovery";
import { getDms, getLastDms, sendDm } from "@alcove/contract/messaging";
import { SECOND_MS } from "../platform/clock.ts";
import { voiceFile } from "../testing/sample-voices.ts";
import { ownService } from "../testing/service-for-test.ts";
import { eventually, type TestMember, type TestService } from "../testing/test-service.ts";
import { createSampleProfiles } from "./sample-profiles.ts";
import { startDemo } from "./index.ts";

const REYKJAVIK = "-21.9426,64.1466";
const SIZE = 24;
const WAIT_MS = 60_000;
const profiles = createSampleProfiles(SIZE);
const sampleUserIds = new Set(profiles.map(({ userId }) => userId));
const config = { freeCardsPerDay: 50 };

async function runDemo(service: TestService): Promise<() => Promise<void>> {
  const stop = await startDemo(service, { size: SIZE, everyMs: 20 });
  await eventually(async () => expect(await count(service)).toBeGreaterThanOrEqual(SIZE), WAIT_MS);
  return stop;
}

async function count({ db }: TestService): Promise<number> {
  const rows = await db.selectFrom("members").select("member_no").execute();
  return rows.length;
}

async function likeAll(visitor: TestMember): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const { options } = await visitor.call(getOptions, {});
    for (const { user_id } of options) await visitor.call(likeUser, { likedId: user_id });
  }
}

async function friendOf(service: TestService, visitor: TestMember): Promise<string> {
  return eventually(async () => {
    service.clock.advance(10 * SECOND_MS);
    const { matches } = await visitor.call(getLastDms, {});
    expect(matches.length).toBeGreaterThan(1);
    return matches[0]!.user_id;
  }, WAIT_MS);
}

async function lastReply(service: TestService, visitor: TestMember, friendId: string, nth: number) {
  return eventually(async () => {
    service.clock.advance(10 * SECOND_MS);
    const { dms } = await visitor.call(getDms, { friendId });
    expect(dms).toHaveLength(nth);
    return dms.at(-1)!;
  }, WAIT_MS);
}

test(
  "shows a visitor in Reykjavik sample members nearby who like back and reply",
  { timeout: 120_000 },
  async () => {
    const service = await ownService({ config });
    const stop = await runDemo(service);
    const visitor = await service.member("visitor", { at: null, search_sex: "all", sex: "female" });

    await visitor.call(saveLocation, { location: REYKJAVIK });
    const { options } = await visitor.call(getOptions, {});
    expect(options).toHaveLength(10);
    await eventually(async () => {
      const { options: people } = await visitor.call(getOptions, {});
      expect(people.some(({ pictures }) => pictures.length === 3)).toBe(true);
      const kinds = people.flatMap(({ posts }) => posts.map(({ kind }) => kind));
      expect(new Set(kinds)).toEqual(new Set(["note", "week"]));
    }, WAIT_MS);
    for (const { user_id, distance } of options) {
      expect(sampleUserIds).toContain(user_id);
      expect(distance).toBeLessThanOrEqual(100);
    }

    await likeAll(visitor);
    const friendId = await friendOf(service, visitor);
    await visitor.call(sendDm, { receiverId: friendId, description: "はじめまして。お元気ですか" });
    const reply = await lastReply(service, visitor, friendId, 2);
    expect(reply.sender.user_id).toBe(friendId);
    const { replies } = profiles.find(({ userId }) => userId === friendId)!.voice;
    expect([...replies.first, ...replies.toQuestion]).toContain(reply.description);

    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    await visitor.call(sendDm, {
      receiverId: friendId,
      file: new File([new Uint8Array(picture)], "sea.png"),
    });
    expect((await lastReply(service, visitor, friendId, 4)).sender.user_id).toBe(friendId);

    await visitor.call(sendDm, { receiverId: friendId, voice: voiceFile() });
    const spoken = await lastReply(service, visitor, friendId, 6);
    expect(spoken).toMatchObject({
      voice: expect.any(String) as string,
      voice_seconds: 3,
      description: null,
    });
    expect(replies.later).toContain(spoken.voice_text);
    await stop();
  },
);

test(
  "finds the same members at a second start, who reply to messages sent meanwhile",
  { timeout: 120_000 },
  async () => {
    const service = await ownService({ config });
    const stop = await runDemo(service);
    const visitor = await service.member("visitor", { search_sex: "all" });
    await likeAll(visitor);
    const friendId = await friendOf(service, visitor);
    await stop();
    const before = await count(service);

    await visitor.call(sendDm, { receiverId: friendId, description: "Are you still there, by any chance?" });
    const stopAgain = await runDemo(service);
    await lastReply(service, visitor, friendId, 2);

    await stopAgain();
    expect(await count(service)).toBe(before);
  },
);

test("moves sample members to a visitor on another continent at once", { timeout: 120_000 }, async () => {
  const service = await ownService({ config });
  const stop = await runDemo(service);
  const near = await service.member("near", { search_sex: "all" });
  expect((await near.call(getOptions, {})).options).not.toEqual([]);

  const far = await service.member("far", { search_sex: "all", at: [-21.9426, 64.1466] });

  const { options } = await far.call(getOptions, {});
  expect(options).not.toEqual([]);
  for (const { user_id } of options) expect(sampleUserIds).toContain(user_id);
  await stop();
});

test("leaves a visitor alone who signed up under a sample user id", { timeout: 120_000 }, async () => {
  const service = await ownService({ config });
  const profile = createSampleProfiles(SIZE).find(({ km }) => km > 20)!;
  const visitor = await service.member(profile.userId, { sex: profile.sex, at: null, search_sex: "all" });
  const stop = await runDemo(service);

  const { user } = await visitor.call(saveLocation, { location: REYKJAVIK });
  // Members who are created after the position is saved move in the next run.
  await eventually(async () => {
    const placed = await service.db.selectFrom("searchables").select("member_no").execute();
    expect(placed).toHaveLength(SIZE);
  }, WAIT_MS);

  expect((await visitor.call(getOwnUser, {})).user.location).toEqual(user.location);
  expect((await visitor.call(getOptions, {})).options).toHaveLength(10);
  await stop();
});
