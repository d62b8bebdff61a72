import { expect, test } from "vitest";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { deleteOldSentLinks } from "./link-rate-limit.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const limitedService = (): Promise<TestService> => serviceForTest({ config: { hasRateLimits: true } });

/** None of the matches has written. */
async function newMember({ member }: TestService, matches: number) {
  const hanako = await member("hanako", { sex: "female", paid: true });
  const others: TestMember[] = [];
  for (let i = 0; i < matches; i++) {
    const other = await member(`match${i}`, { sex: "male", paid: true });
    await match(hanako, other);
    others.push(other);
  }
  return { hanako, others };
}

test("rejects a link in any spelling when three members without a reply have it", async () => {
  const service = await limitedService();
  const { hanako, others } = await newMember(service, 4);
  const spellings = ["https://example.com/offer?to=1", "EXAMPLE.com/offer#2", "ｅｘａｍｐｌｅ．com/offer/3"];
  for (const [i, spelling] of spellings.entries()) await write(hanako, others[i]!, spelling);

  const { body, status } = await expectError(
    write(hanako, others[3]!, "hxxps://example[.]com/offer"),
    "too_many_links",
  );

  expect(status).toBe(422);
  expect(body["error_message"]).toMatch(/new accounts/i);
  expect((await others[3]!.call(getDms, { friendId: hanako.user_id })).dms).toEqual([]);
  await write(hanako, others[3]!, "Good evening");
  await write(hanako, others[0]!, "once more: example.com/offer"); // this match has the link already
});

test("rejects any link when five members without a reply have one from the same day", async () => {
  const service = await limitedService();
  const { hanako, others } = await newMember(service, 6);
  for (const [i, other] of others.slice(0, 5).entries()) await write(hanako, other, `example${i}.com`);

  await expectError(write(hanako, others[5]!, "example5.com"), "too_many_links");
  service.clock.advance(DAY);
  const nextDay = await logInAgain(service, hanako);
  await expectError(write(nextDay, others[5]!, "example5.com"), "too_many_links");
  service.clock.advance(HOUR);

  expect((await write(await logInAgain(service, hanako), others[5]!, "example5.com")).description).toBe(
    "example5.com",
  );
});

test("does not count links to members who have written back", async () => {
  const service = await limitedService();
  const { hanako, others } = await newMember(service, 8);

  for (const other of others) {
    await write(other, hanako, "Good evening");
    await write(hanako, other, "Good evening, see example.com");
  }

  expect(await service.db.selectFrom("sent_links").selectAll().execute()).toEqual([]);
});

test("ends the limit and deletes its records after seven days", async () => {
  const service = await limitedService();
  const { hanako, others } = await newMember(service, 7);
  for (const other of others.slice(0, 3)) await write(hanako, other, "example.com");
  await expectError(write(hanako, others[3]!, "example.com"), "too_many_links");

  service.clock.advance(8 * DAY);
  const back = await logInAgain(service, hanako);
  for (const other of others) await write(back, other, "example.com");
  expect(await service.db.selectFrom("sent_links").selectAll().execute()).toHaveLength(3);
  await deleteOldSentLinks(service.ctx);

  expect(await service.db.selectFrom("sent_links").selectAll().execute()).toEqual([]);
});

test("returns a repeated message when the limit has been reached since", async () => {
  const service = await limitedService();
  const { hanako, others } = await newMember(service, 4);
  const again = { receiverId: others[0]!.user_id, description: "example.com", clientId: crypto.randomUUID() };
  const first = await hanako.call(sendDm, again);
  for (const other of others.slice(1, 3)) await write(hanako, other, "example.com");
  await expectError(write(hanako, others[3]!, "example.com"), "too_many_links");

  expect((await hanako.call(sendDm, again)).dm.id).toBe(first.dm.id);
});

test("applies the limit when messages arrive through two servers at the same time", async () => {
  const here = await limitedService();
  const there = await serviceForTest({ beside: here, config: { hasRateLimits: true } });
  for (let round = 0; round < rounds(5); round++) {
    const spammer = await here.member(`spammer${round}`, { sex: "female", paid: true });
    const others: TestMember[] = [];
    for (let i = 0; i < 8; i++)
      others.push(await here.member(`other${round}-${i}`, { sex: "male", paid: true }));
    for (const other of others) await match(spammer, other);

    const outcomes = await Promise.allSettled(
      others.map((other, i) => write(i % 2 ? spammer : there.memberAt(spammer), other, "see example.com")),
    );

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  }
});

test("stores only digests that differ between members", async () => {
  const service = await limitedService();
  const { hanako, others } = await newMember(service, 1);
  const jiro = await service.member("jiro", { sex: "male", paid: true });
  await match(hanako, jiro);
  await write(hanako, others[0]!, "example.com");
  await write(others[0]!, hanako, "hello");
  await write(jiro, hanako, "example.com");

  const rows = await service.db.selectFrom("sent_links").selectAll().execute();

  expect(rows).toHaveLength(2);
  expect(
    new Set(rows.flatMap((row) => [row.link_digest.toString("hex"), row.receiver_digest.toString("hex")]))
      .size,
  ).toBe(4);
  expect(
    rows.map(({ link_digest, receiver_digest }) => [link_digest.length, receiver_digest.length]),
  ).toEqual([
    [32, 32],
    [32, 32],
  ]);
});
