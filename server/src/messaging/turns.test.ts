import { beforeAll, expect, test } from "vitest";
import { unmatch } from "@alcove/contract/discovery";
import { getDms, getLastDms, reactToDm, unsendDm } from "@alcove/contract/messaging";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { countTurns } from "./turns.ts";

const turns = async (who: TestMember) => {
  const { matches, dms } = await who.call(getLastDms, {});
  return [...dms, ...matches].map((row) => row.my_turn);
};

let shared: TestService;
beforeAll(async () => {
  shared = await testService();
});

test("is the turn of the member to whom the last message went, also after a reaction", async () => {
  const { hanako, taro } = await hanakoAndTaro(shared);
  const both = async () => [await turns(hanako), await turns(taro)];
  expect(await both()).toEqual([[false], [false]]); // a match without a message

  const first = await write(hanako, taro);
  expect(await both()).toEqual([[false], [true]]);
  await taro.call(reactToDm, { dmId: first.id, reaction: "heart" });
  expect(await both()).toEqual([[false], [true]]);
  const answer = await write(taro, hanako);
  expect(await both()).toEqual([[true], [false]]);
  await taro.call(unsendDm, { friendId: hanako.user_id, dmId: answer.id });
  expect(await both()).toEqual([[false], [true]]);
  await taro.call(unmatch, { userId: hanako.user_id, goodbye: 1 });
  expect(await both()).toEqual([[], []]);
});

test("is nobody's turn in a chat that rests, and of a limited member", async () => {
  const service = await serviceForTest();
  let { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { sex: "male", paid: true });
  await match(hanako, jiro);
  await write(taro, hanako);
  service.clock.advance(1); // his chat is the newest
  await write(jiro, hanako);
  expect(await turns(hanako)).toEqual([true, true]);
  await service.db
    .updateTable("profiles")
    .set({ limited_until: new Date(service.clock.now().getTime() + 30 * DAY_MS) })
    .where("member_no", "=", jiro.memberId)
    .execute();
  expect(await turns(hanako)).toEqual([false, true]);

  service.clock.advance(15 * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  expect(await turns(hanako)).toEqual([false, false]);
  await hanako.call(getDms, { friendId: "taro" }); // wakes it for her
  expect(await turns(hanako)).toEqual([false, true]);
});

test("moves the share of replies once for each chat with a reply or in silence", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-05T12:00:00Z");
  let hanako = await service.member("hanako", { paid: true });
  const others = await Promise.all(
    ["taro", "jiro", "saburo"].map((name) => service.member(name, { sex: "male", paid: true })),
  );
  const [taro, jiro] = others as [TestMember, TestMember, TestMember];
  for (const other of others) await match(hanako, other);
  const shares = async () => {
    const rows = await service.db.selectFrom("searchables").select(["member_no", "replies"]).execute();
    return [hanako, taro, jiro].map(
      ({ memberId }) => rows.find((row) => row.member_no === memberId)?.replies,
    );
  };
  for (const other of others) await write(other, hanako);
  await countTurns(service.ctx);
  expect(await shares()).toEqual([50, 50, 50]);

  service.clock.advance(HOUR_MS);
  hanako = await logInAgain(service, hanako);
  await write(hanako, taro);
  await countTurns(service.ctx);
  expect(await shares()).toEqual([54, 50, 50]); // (12 × 50 + 100) ÷ 13

  service.clock.advance(2 * DAY_MS);
  await countTurns(service.ctx);
  expect(await shares()).toEqual([54, 50, 50]);
  service.clock.advance(DAY_MS + HOUR_MS);
  hanako = await logInAgain(service, hanako);
  await hanako.call(unmatch, { userId: "saburo", goodbye: null });
  await countTurns(service.ctx);
  // Jiro waits for her, and she waits for Taro. A match that ended counts for neither.
  expect(await shares()).toEqual([50, 46, 50]);

  service.clock.advance(DAY_MS);
  await countTurns(service.ctx);
  expect(await shares()).toEqual([50, 46, 50]);
});
