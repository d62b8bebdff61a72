import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { likeUser, passUser } from "@alcove/contract/discovery";
import { saveFilter, saveVisibility } from "@alcove/contract/profiles";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { suspendMember } from "../../accounts/index.ts";
import { DAY_MS } from "../../platform/clock.ts";
import { limitIn } from "../../profiles/index.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, type TestService } from "../../testing/test-service.ts";
import { hasSomebodyNew } from "./somebody-new.ts";

const woman = { sex: "female", search_sex: "male" } as const;
const man = { sex: "male", search_sex: "female" } as const;

const limit = ({ db, ctx, clock }: TestService, memberId: number) =>
  db.transaction().execute((tx) => limitIn(tx, ctx, memberId, new Date(clock.now().getTime() + 60 * DAY_MS)));

test("finds nobody whom no card would show, whom only a like would show, or who was passed before", async () => {
  const service = await serviceForTest();
  const { member, ctx, db } = service;
  const taro = await member("taro", { ...man, paid: true });
  const [paused, careful, naming, blocker, limited, suspended, left, passed] = [
    await member("paused", woman),
    await member("careful", woman),
    await member("naming", woman),
    await member("blocker", woman),
    await member("limited", woman),
    await member("suspended", woman),
    await member("left", woman),
    await member("passed", woman),
  ];
  await paused.call(saveVisibility, { paused: true });
  await careful.call(likeUser, { likedId: "taro" });
  await careful.call(saveVisibility, { only_liked: true });
  await naming.call(addNeverSee, { who: "taro" });
  await blocker.call(blockUser, { userId: "taro" });
  await limit(service, limited.memberId);
  await suspendMember(ctx, suspended.memberId);
  await left.call(deleteAccount, {});
  await taro.call(passUser, { unlikedId: passed.user_id });
  await member("far", { ...woman, at: [2.35, 48.86] });
  await member("choosy", { ...woman, search_sex: "female" });
  await eventually(async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'resolve_never_see'`.execute(db);
    expect(rows).toEqual([]);
  });
  expect(await hasSomebodyNew(ctx, taro.memberId)).toBe(false);

  await member("hanako", woman);
  expect(await hasSomebodyNew(ctx, taro.memberId)).toBe(true);

  await taro.call(likeUser, { likedId: "hanako" });
  expect(await hasSomebodyNew(ctx, taro.memberId)).toBe(false);
  service.clock.advance(100 * DAY_MS); // the pass is over
  await (await logInAgain(service, passed)).call(saveFilter, { search_max_range: 400 });
  expect(await hasSomebodyNew(ctx, taro.memberId)).toBe(false);
});

test("finds nothing for members without a notification", async () => {
  const service = await serviceForTest();
  const { member, ctx } = service;
  await member("hanako", woman);
  const [nowhere, paused, narrow, near, limited, suspended] = [
    await member("nowhere", { ...man, at: null }),
    await member("paused", man),
    await member("narrow", { ...man, search_min_age: 35, search_max_age: 44 }),
    await member("near", { ...man, search_max_range: 49 }),
    await member("limited", man),
    await member("suspended", man),
  ];
  await paused.call(saveVisibility, { paused: true });
  await limit(service, limited.memberId);
  await suspendMember(ctx, suspended.memberId);

  for (const { user_id, memberId } of [nowhere, paused, narrow, near, limited, suspended])
    expect([user_id, await hasSomebodyNew(ctx, memberId)]).toEqual([user_id, null]);
});
