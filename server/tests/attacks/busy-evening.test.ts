import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, passUser } from "@alcove/contract/discovery";
import { getDms, getLastDms, readDm, sendDm } from "@alcove/contract/messaging";
import { saveFilter, saveProfile } from "@alcove/contract/profiles";
import { MINUTE_MS } from "../../src/platform/clock.ts";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";

const LIKES = 49; // one made the match
const PASSES = 11;
const PROFILES = 30;
const MESSAGES = 200;
const SETTINGS = 20;

test(
  "meets no limit in an evening of fifty likes, thirty profiles, two hundred messages and twenty changes of settings",
  { timeout: 120_000, tags: "long" },
  async () => {
    const service = await serviceForTest({ config: { hasRateLimits: true } });
    const { member, clock } = service;
    const { hanako, taro } = await hanakoAndTaro(service);
    for (let i = 0; i < LIKES + PASSES; i++) await member(`man${i}`, { sex: "male" });

    const seen: string[] = [];
    while (seen.length < LIKES + PASSES) {
      const { options } = await hanako.call(getOptions, {});
      expect(options.length).toBeGreaterThan(0);
      for (const { user_id } of options) {
        if (seen.length < PROFILES) await hanako.call(getUser, { userId: user_id });
        if (seen.length < LIKES) await hanako.call(likeUser, { likedId: user_id });
        else await hanako.call(passUser, { unlikedId: user_id });
        seen.push(user_id);
      }
      clock.advance(MINUTE_MS / 2);
    }
    for (let i = 0; i < MESSAGES; i++) {
      const [from, to] = i % 2 ? [hanako, taro] : [taro, hanako];
      const { dm } = await from.call(sendDm, { receiverId: to.user_id, description: `message ${i}` });
      await to.call(readDm, { friendId: from.user_id, dmId: dm.id });
      if (i % 100 === 99) clock.advance(MINUTE_MS);
    }
    await Promise.all([hanako.call(getLastDms, {}), hanako.call(getDms, { friendId: "taro" })]);
    for (let i = 0; i < SETTINGS; i++) {
      if (i % 2) await hanako.call(saveFilter, { search_min_age: 20 + i });
      else await hanako.call(saveProfile, { hobby: `hobby ${i}` });
    }

    expect((await hanako.call(getOwnUser, {})).user.hobby).toBe(`hobby ${SETTINGS - 2}`);
  },
);
