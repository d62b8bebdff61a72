import { writeFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getAgeCheck, sendAgeCheck } from "@alcove/contract/age-check";
import { decideAgeCheck, getAgeChecks, getLog, openAgeCheck } from "@alcove/contract/console";
import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { getLooks } from "@alcove/contract/looks";
import { sendDm } from "@alcove/contract/messaging";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import { sendSampleDocument } from "../../testing/age-check.ts";
import { operatorOf } from "../../testing/console.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { environmentOf, operator, operatorReading } from "../../testing/operator.ts";
import { temporaryFolder } from "../../testing/restore-target.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, expectError, type TestService } from "../../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const withCheck = { config: { ageCheck: "document" as const, consolePort: 0, smtpUrl: mailbox.url } };

const document = async () => fileOf(await quarters().jpeg().toBuffer());

async function keptOf({ ctx, db }: TestService) {
  const rows = await db.selectFrom("media_files").select("media_id").where("kind", "=", "document").execute();
  const keys = await db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000).execute();
  const files = await ctx.fileStorage.list(null, 10);
  return { rows: rows.length, keys: keys.length, files: files.length };
}

const nothing = { rows: 0, keys: 0, files: 0 };
const one = { rows: 1, keys: 1, files: 1 };
/** Their name has a key. */
const ofOperator = (kept: typeof nothing) => ({ ...kept, keys: kept.keys + 1 });

test("waits with likes and messages until an operator approves, then destroys the document", async () => {
  const service = await serviceForTest(withCheck);
  const sato = await operatorOf(service, "Sato");
  await service.member("taro");
  const hanako = await service.member("hanako", { date_of_birth: "1990-02-03" });
  const like = () => hanako.call(likeUser, { likedId: "taro" });
  for (const act of [
    like,
    () => hanako.call(likeUser, { likedId: "nobody-there" }),
    () => hanako.call(sendDm, { receiverId: "taro", description: "Hello" }),
  ])
    expect((await expectError(act(), "age_check_required")).status).toBe(403);
  expect((await hanako.call(getOptions, {})).options.map(({ user_id }) => user_id)).toEqual(["taro"]);
  expect(await hanako.call(getAgeCheck, {})).toEqual({ state: "missing" });

  await hanako.call(sendAgeCheck, { file: await document() });
  expect(await keptOf(service)).toEqual(ofOperator(one));
  expect((await hanako.call(getOwnUser, {})).user.age_checked).toBe(false);
  await expectError(like(), "age_check_required");
  const { checks } = await sato.call(getAgeChecks, {});
  const { id } = checks[0]!;
  const { check } = await sato.call(openAgeCheck, { id });
  expect(check).toMatchObject({ user_id: "hanako", date_of_birth: "1990-02-03" });
  expect(check.jpeg).toMatch(/^\/9j\//);
  await sato.call(decideAgeCheck, { id, outcome: "approved" });

  await like();
  expect((await hanako.call(getOwnUser, {})).user.age_checked).toBe(true);
  expect(await hanako.call(getAgeCheck, {})).toEqual({ state: "approved" });
  await eventually(async () => expect(await keptOf(service)).toEqual(ofOperator(nothing)));
  await expectError(sato.call(openAgeCheck, { id }), "case_taken");
  await expectError(sato.call(decideAgeCheck, { id, outcome: "different" }), "case_taken");
  const { entries } = await sato.call(getLog, {});
  expect(entries.map(({ action }) => action)).toContain(`age-checks approved ${id}`);
  const { text, subject } = await mailbox.waitForEmail("hanako@example.com");
  expect(subject + text).not.toMatch(/age\b|document|member|match/i);
  const { looks } = await hanako.call(getLooks, {});
  expect(looks.map(({ kind }) => kind)).toEqual(["picture", "picture"]);
  await hanako.call(sendAgeCheck, { file: await document() });
  expect(await keptOf(service)).toEqual(ofOperator(nothing));
});

test("keeps one document of a member, seven days at most, and none after the deletion", async () => {
  const service = await serviceForTest(withCheck);
  service.clock.set("2027-01-01T10:59:00Z");
  const joined = await service.member("expires", { at: null });
  await joined.call(sendAgeCheck, { file: await document() });
  await joined.call(sendAgeCheck, { file: await document() });
  await eventually(async () => expect(await keptOf(service)).toEqual(one));
  const expire = async () => {
    await service.ctx.jobs.add(service.db, "expire_age_checks", {});
    await eventually(async () => expect((await service.ctx.jobs.readQueue(service.db)).due).toBe(0));
  };

  service.clock.advance(7 * DAY_MS - 2 * HOUR_MS);
  await expire();
  expect(await keptOf(service)).toEqual(one);
  service.clock.advance(2 * HOUR_MS);
  await expire();
  await eventually(async () => expect(await keptOf(service)).toEqual(nothing));
  const hanako = await logInAgain(service, joined);
  expect(await hanako.call(getAgeCheck, {})).toEqual({ state: "expired" });
  expect((await mailbox.waitForEmail("expires@example.com")).text).toContain("once more");

  await hanako.call(sendAgeCheck, { file: await document() });
  expect(await hanako.call(getAgeCheck, {})).toEqual({ state: "waiting" });
  await hanako.call(deleteAccount, {});
  await eventually(async () => expect(await keptOf(service)).toEqual(nothing));
});

test("asks again by the command line, which keeps the picture in its file until the decision only", async () => {
  const service = await serviceForTest(withCheck);
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(sendAgeCheck, { file: await document() });
  const folder = await temporaryFolder();
  const env = environmentOf(service);
  const listed = await operator(env, "age-checks", "list", "--json");
  const [{ id } = { id: "" }] = JSON.parse(listed.out) as { id: string }[];
  const decide = ["age-checks", "decide", id, "--to", join(folder, "document.jpg")];

  expect((await operatorReading("maybe\n", env, ...decide)).problems).toContain("Nothing was decided");
  expect(await readdir(folder)).toEqual([]);
  await writeFile(join(folder, "document.jpg"), "kept");
  expect((await operator(env, ...decide)).problems).toContain("already exists");
  expect((await operator(env, "age-checks", "decide", id, "--outcome", "different")).code).toBe(0);

  expect(await hanako.call(getAgeCheck, {})).toEqual({ state: "different" });
  await expectError(hanako.call(likeUser, { likedId: "taro" }), "age_check_required");
  expect((await operator(env, "age-checks", "decide", id, "--outcome", "approved")).problems).toContain(
    "waits",
  );
});

test("asks nobody while the check is off", async () => {
  const service = await serviceForTest();
  await service.member("taro");
  const hanako = await service.member("hanako");

  await hanako.call(likeUser, { likedId: "taro" });
  await expectError(hanako.call(getAgeCheck, {}), "not_found");
  await expectError(hanako.call(sendAgeCheck, { file: await document() }), "not_found");
  await sendSampleDocument(service, hanako);
  await hanako.call(passUser, { unlikedId: "taro" });
  expect((await hanako.call(getOwnUser, {})).user.age_checked).toBe(false);
});
