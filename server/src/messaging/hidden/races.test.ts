import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { likeUser } from "@alcove/contract/discovery";
import { getDms } from "@alcove/contract/messaging";
import { reportUser, unblockUser } from "@alcove/contract/safety";
import { DAY_MS } from "../../platform/clock.ts";
import { forgetDeletedMembers, readOpenReports, readReportPicture } from "../../testing/cases.ts";
import { readFiles } from "../../testing/data-traces.ts";
import { match } from "../../testing/match.ts";
import { block, write } from "../../testing/member-calls.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { rounds } from "../../testing/rounds.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { eventually, type TestService } from "../../testing/test-service.ts";
import { pairOf } from "../pair.ts";
import { destroyHiddenConversations } from "./hidden-conversations.ts";

const PAIRS = rounds(16);
const picture = await quarters(64, 64).jpeg().toBuffer();

async function conversationKeys({ db }: TestService): Promise<number[]> {
  const keys = await db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000).execute();
  return keys.map(({ key_id }) => key_id).toSorted((a, b) => a - b);
}

async function hiddenKeys({ db }: TestService): Promise<number[]> {
  const hidden = await db.selectFrom("hidden_conversations").select("key_id").distinct().execute();
  return hidden.map(({ key_id }) => key_id).toSorted((a, b) => a - b);
}

/** Matched pairs, each half on its own process of one database. */
async function pairsOnTwoProcesses() {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const pairs = await Promise.all(
    Array.from({ length: PAIRS }, async (_, i) => {
      const her = await service.member(`her${i}`, { at: null, paid: true, sex: "female" });
      const him = beside.memberAt(await service.member(`him${i}`, { at: null, paid: true, sex: "male" }));
      await match(her, him);
      return { her, him };
    }),
  );
  const storedPictures = async () =>
    (await readFiles(service.dataDir)).filter(({ name }) => name.includes("/media/")).length;
  const pictures = () => service.db.selectFrom("media_files").select(["kind", "claimed"]).execute();
  return { service, beside, pairs, storedPictures, pictures };
}

test("hides each accepted message, with its picture, when a block arrives at the same time", async () => {
  const { service, pairs, storedPictures, pictures } = await pairsOnTwoProcesses();
  const accepted: string[] = [];
  const writeIfAllowed = (...args: Parameters<typeof write>) =>
    write(...args).then(
      ({ id }) => void accepted.push(id),
      () => undefined,
    );

  await Promise.all(
    pairs.map(async ({ her, him }, i) => {
      if (i % 3 > 0) await writeIfAllowed(her, him, "before");
      await Promise.all([
        writeIfAllowed(him, her, "at once", { file: fileOf(picture) }),
        ...["one", "two", "three", "four"].map((text) => writeIfAllowed(her, him, text)),
        block(her, him),
      ]);
    }),
  );

  for (const table of ["messages", "inbox", "conversations"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  const hidden = await service.db.selectFrom("hidden_messages").selectAll().execute();
  expect(hidden.map(({ message_id }) => message_id).toSorted()).toEqual(accepted.toSorted());
  const withPicture = hidden.filter(({ encrypted_media }) => encrypted_media !== null);
  await eventually(async () => {
    expect(await storedPictures()).toBe(withPicture.length);
    expect(await pictures()).toEqual(withPicture.map(() => ({ kind: "hidden", claimed: true })));
  });
  expect(await conversationKeys(service)).toEqual(await hiddenKeys(service));
}, 60_000);

test("keeps message and picture of every report when a block arrives at the same time", async () => {
  const { service, pairs } = await pairsOnTwoProcesses();

  await Promise.all(
    pairs.map(async ({ her, him }, i) => {
      const { id: dmId } = await write(him, her, "Look at me.", { file: fileOf(picture) });
      await Promise.all([
        her.call(reportUser, { userId: him.user_id, reason: "harassment", dmId }),
        i % 2 === 0 ? block(her, him) : block(him, her),
      ]);
    }),
  );

  const reports = await readOpenReports(service.ctx);
  expect(reports.map(({ message }) => message?.text)).toEqual(pairs.map(() => "Look at me."));
  for (const one of reports)
    expect((await readReportPicture(service.ctx, one))?.subarray(0, 3).toString("hex")).toBe("ffd8ff");
}, 60_000);

test("never shows a hidden message when the two match again while they are being blocked", async () => {
  const { service, pairs } = await pairsOnTwoProcesses();

  await Promise.all(
    pairs.map(async ({ her, him }) => {
      await write(her, him, "hidden one");
      await block(her, him);
      await her.call(unblockUser, { userId: him.user_id });
      await match(her, him);
      await write(him, her, "hidden two");
      await Promise.allSettled([
        block(him, her).then(() => him.call(unblockUser, { userId: her.user_id })),
        write(her, him, "at once"),
        her.call(likeUser, { likedId: him.user_id }),
        him.call(likeUser, { likedId: her.user_id }),
      ]);
      await Promise.allSettled([
        her.call(likeUser, { likedId: him.user_id }),
        him.call(likeUser, { likedId: her.user_id }),
        write(her, him, "again"),
        write(him, her, "again"),
      ]);
      await write(her, him, "now");
    }),
  );

  const hidden = await service.db.selectFrom("hidden_messages").selectAll().execute();
  for (const { her, him } of pairs) {
    const { dms } = await him.call(getDms, { friendId: her.user_id });
    const texts = dms.map(({ description }) => description);
    expect(texts.filter((text) => text?.startsWith("hidden"))).toEqual([]);
    expect(texts).toContain("now");
    const { key } = pairOf(her.memberId, him.memberId);
    expect(hidden.filter(({ pair }) => pair === key).length).toBeGreaterThanOrEqual(2);
  }
  expect(await hiddenKeys(service)).toHaveLength(pairs.length * 2);
  expect(await conversationKeys(service)).toHaveLength(pairs.length * 3);
}, 60_000);

test("leaves nothing of hidden conversations when deletions of both sides race the job on two processes", async () => {
  const { service, beside, pairs, storedPictures } = await pairsOnTwoProcesses();
  await Promise.all(
    pairs.map(async ({ her, him }) => {
      await write(him, her, "Look at me.", { file: fileOf(picture) });
      await block(her, him);
    }),
  );
  service.clock.advance(30 * DAY_MS);
  const jobs = [service, beside, service].map(({ ctx }) => destroyHiddenConversations(ctx));
  service.clock.advance(-30 * DAY_MS); // the members stay logged in

  await Promise.all([
    ...jobs,
    ...pairs.flatMap(({ her }, i) => (i % 3 < 2 ? her.call(deleteAccount, {}) : [])),
    ...pairs.flatMap(({ him }, i) => (i % 3 > 0 ? him.call(deleteAccount, {}) : [])),
  ]);

  await forgetDeletedMembers(service);
  for (const table of ["hidden_messages", "hidden_conversations"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect(await conversationKeys(service)).toEqual([]);
  await eventually(async () => expect(await storedPictures()).toBe(0));
}, 60_000);
