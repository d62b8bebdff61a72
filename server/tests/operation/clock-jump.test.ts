import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, saveLocation } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { openSession } from "../../src/accounts/index.ts";
import { DAY_MS } from "../../src/platform/clock.ts";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { eventually, expectError } from "../../src/testing/test-service.ts";

const TOKYO = "139.7671,35.6812";
const LOCATIONS_AN_HOUR = 30;

test("keeps messages, sessions, limits and jobs in order when the clock jumps ahead and back", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  const { hanako, taro } = await hanakoAndTaro(service);
  const send = (me: typeof hanako, description: string) =>
    me.call(sendDm, { receiverId: "taro", description });

  await send(hanako, "before");
  service.clock.advance(2 * DAY_MS);
  await expectError(hanako.call(getOwnUser, {}), "token_expired");
  const ahead = service.memberAt({ ...hanako, ...(await openSession(service.ctx, hanako.memberId)) });
  await send(ahead, "ahead");
  await ahead.call(getOptions, { ids: "" });
  for (let i = 0; i < LOCATIONS_AN_HOUR; i++) await ahead.call(saveLocation, { location: TOKYO });
  await expectError(ahead.call(saveLocation, { location: TOKYO }), "too_many_requests");
  service.clock.advance(-2 * DAY_MS);
  await send(ahead, "back");
  await send(hanako, "back in the first session");

  const { dms } = await taro.call(getDms, { friendId: "hanako" });
  expect(dms.map(({ description }) => description)).toEqual([
    "before",
    "ahead",
    "back",
    "back in the first session",
  ]);
  await ahead.call(saveLocation, { location: TOKYO });
  // Jobs wait by the clock of the database, which did not jump.
  await eventually(async () => expect((await service.ctx.jobs.readQueue(service.db)).due).toBe(0));
});
