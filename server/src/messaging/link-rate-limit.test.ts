import { expect, test } from "vitest";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { comeBack } from "../testing/log-in-again.ts";
import { match, serviceOfTest } from "../testing/match.ts";
import { refused, type TestMember, type TestService } from "../testing/test-service.ts";
import { deleteOldSentLinks } from "./link-rate-limit.ts";

const DAY = 24 * 60 * 60 * 1000;
const write = async (from: TestMember, to: TestMember, description: string) =>
  (await from.ask(sendDm, { receiverId: to.user_id, description })).dm;
const braked = (): Promise<TestService> => serviceOfTest({ config: { hasRateLimits: true } });

/** Somebody new with so many matches who have never written. */
async function newcomer({ member }: TestService, matches: number) {
  const hanako = await member("hanako", { sex: "female", paid: true });
  const others: TestMember[] = [];
  for (let i = 0; i < matches; i++) {
    const other = await member(`match${i}`, { sex: "male", paid: true });
    await match(hanako, other);
    others.push(other);
  }
  return { hanako, others };
}

test("one link goes to three people who have not answered, however it is written, and nothing of the fourth is stored", async () => {
  const service = await braked();
  const { hanako, others } = await newcomer(service, 4);
  const spellings = ["https://example.com/offer?to=1", "EXAMPLE.com/offer#2", "ｅｘａｍｐｌｅ．com/offer/3"];
  for (const [i, spelling] of spellings.entries()) await write(hanako, others[i]!, spelling);

  const { body, status } = await refused(
    write(hanako, others[3]!, "hxxps://example[.]com/offer"),
    "too_many_links",
  );

  expect(status).toBe(422);
  expect(body["error_message"]).toMatch(/new account/);
  expect((await others[3]!.ask(getDms, { friendId: hanako.user_id })).dms).toEqual([]);
  await write(hanako, others[3]!, "Good evening");
  await write(hanako, others[0]!, "once more: example.com/offer"); // known to this one already
});

test("links of all kinds go to five such people within a day", async () => {
  const service = await braked();
  const { hanako, others } = await newcomer(service, 6);
  for (const [i, other] of others.slice(0, 5).entries()) await write(hanako, other, `example${i}.com`);

  await refused(write(hanako, others[5]!, "example5.com"), "too_many_links");
  service.clock.advance(DAY + 1);

  expect((await write(await comeBack(service, hanako), others[5]!, "example5.com")).description).toBe(
    "example5.com",
  );
});

test("links between people who talk with each other are nobody's business", async () => {
  const service = await braked();
  const { hanako, others } = await newcomer(service, 8);

  for (const other of others) {
    await write(other, hanako, "Good evening");
    await write(hanako, other, "Good evening, see example.com");
  }

  expect(await service.db.selectFrom("sent_links").selectAll().execute()).toEqual([]);
});

test("after seven days an account is not new, and what was counted is forgotten", async () => {
  const service = await braked();
  const { hanako, others } = await newcomer(service, 7);
  for (const other of others.slice(0, 3)) await write(hanako, other, "example.com");
  await refused(write(hanako, others[3]!, "example.com"), "too_many_links");

  service.clock.advance(7 * DAY);
  const back = await comeBack(service, hanako);
  for (const other of others) await write(back, other, "example.com");
  expect(await service.db.selectFrom("sent_links").selectAll().execute()).toHaveLength(3);
  await deleteOldSentLinks(service.ctx);

  expect(await service.db.selectFrom("sent_links").selectAll().execute()).toEqual([]);
});

test("a message that is sent again after its answer was lost is answered, also when the brake holds by then", async () => {
  const service = await braked();
  const { hanako, others } = await newcomer(service, 4);
  const again = { receiverId: others[0]!.user_id, description: "example.com", clientId: crypto.randomUUID() };
  const first = await hanako.ask(sendDm, again);
  for (const other of others.slice(1, 3)) await write(hanako, other, "example.com");
  await refused(write(hanako, others[3]!, "example.com"), "too_many_links");

  expect((await hanako.ask(sendDm, again)).dm.id).toBe(first.dm.id);
});

test("parallel messages through two servers cannot beat the brake", async () => {
  const here = await braked();
  const there = await serviceOfTest({ beside: here, config: { hasRateLimits: true } });
  for (let round = 0; round < 5; round++) {
    const spammer = await here.member(`spammer${round}`, { sex: "female", paid: true });
    const others: TestMember[] = [];
    for (let i = 0; i < 8; i++)
      others.push(await here.member(`other${round}-${i}`, { sex: "male", paid: true }));
    for (const other of others) await match(spammer, other);

    const outcomes = await Promise.allSettled(
      others.map((other, i) => write(i % 2 ? spammer : there.meet(spammer), other, "see example.com")),
    );

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  }
});

test("neither the link nor the person can be read from what is kept, and no two members' digests are alike", async () => {
  const service = await braked();
  const { hanako, others } = await newcomer(service, 1);
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
