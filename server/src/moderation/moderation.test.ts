import sharp from "sharp";
import { expect, test } from "vitest";
import { register } from "@alcove/contract/accounts";
import {
  decideCase,
  getCases,
  listSameNetwork,
  openCase,
  readCasePicture,
  restoreAccount,
  suspendAccount,
} from "@alcove/contract/console";
import { saveProfile } from "@alcove/contract/profiles";
import { startMailbox } from "@alcove/test-services/mail";
import { afterAll } from "vitest";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { operatorOf } from "../testing/console.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf } from "../testing/sample-pictures.ts";
import { requestSignUpCodeFor, signUpForm } from "../testing/sign-up.ts";
import { eventually, type TestService } from "../testing/test-service.ts";
import { listFlags } from "./index.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const options = { config: { consolePort: 0, smtpUrl: mailbox.url } };

/** A picture like no other `seed`'s. */
async function photo(seed: number, side = 600): Promise<Buffer> {
  const cells = Buffer.from(Array.from({ length: 64 }, (_, i) => (Math.sin(seed * 97 + i * i) + 1) * 127));
  const small = sharp(cells, { raw: { width: 8, height: 8, channels: 1 } });
  return small
    .resize(side, side, { kernel: "cubic" })
    .jpeg({ quality: side > 500 ? 92 : 60 })
    .toBuffer();
}

const clearIcon = async (seed: number, side?: number) => ({
  icon: fileOf(await photo(seed, side)),
  icon_process: false,
});

const storedHashes = ({ db }: TestService) => db.selectFrom("suspended_pictures").selectAll().execute();

async function suspendedTaro(service: TestService) {
  const taro = await service.member("taro", { at: null });
  await taro.call(saveProfile, await clearIcon(1));
  await suspendMember(service.ctx, taro.memberId, "fraud");
  await eventually(async () => expect(await storedHashes(service)).toHaveLength(1));
  return taro;
}

test("flags a picture of a suspended member that returns in another size and quality, and no other", async () => {
  const service = await serviceForTest(options);
  await suspendedTaro(service);
  const sato = await operatorOf(service, "Sato");

  for (const [name, seed] of [
    ["jiro", 2],
    ["goro", 3],
    ["taro-again", 1],
  ] as const) {
    const member = await service.member(name, { at: null });
    await member.call(saveProfile, await clearIcon(seed, 420));
  }

  const [listed, ...others] = await eventually(async () => {
    const { cases } = await sato.call(getCases, {});
    expect(cases).not.toEqual([]);
    return cases;
  });
  expect([listed!.kind, others]).toEqual(["picture", []]);
  const { id } = listed!;
  expect((await sato.call(openCase, { id })).case).toMatchObject({
    user_id: "taro-again",
    similar_to: "taro",
    entries: [],
  });
  expect((await sato.call(readCasePicture, { id })).jpeg).toMatch(/^\/9j\//);
  await sato.call(decideCase, { id, outcome: "suspended", reason: "the same person" });
  expect((await sato.call(getCases, {})).cases).toEqual([]);
  await eventually(async () => expect(await storedHashes(service)).toHaveLength(2));
});

test("keeps hashes of suspended members only, keyed, until the restoration or for a year", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(saveProfile, await clearIcon(5));
  await suspendedTaro(service);
  const sato = await operatorOf(service, "Sato");
  const other = await serviceForTest(options);
  await suspendedTaro(other);

  const [own] = await storedHashes(service);
  const [theirs] = await storedHashes(other);
  expect(own!.hash).not.toBe(theirs!.hash); // another key
  await sato.call(restoreAccount, { userId: "taro", reason: "a mistake" });
  expect(await storedHashes(service)).toEqual([]);

  await sato.call(suspendAccount, { userId: "taro", reason: "no mistake" });
  await eventually(async () => expect(await storedHashes(service)).toHaveLength(1));
  service.clock.advance(365 * DAY_MS);
  await service.ctx.jobs.add(service.db, "sweep_moderation", {});
  await eventually(async () => {
    const { rows } = await service.ctx.jobs.readQueue(service.db).then(({ due }) => ({ rows: due }));
    expect(rows).toBe(0);
  });
  expect(await storedHashes(service)).toHaveLength(1);
  service.clock.advance(DAY_MS);
  await service.ctx.jobs.add(service.db, "sweep_moderation", {});
  await eventually(async () => expect(await storedHashes(service)).toEqual([]));
  expect(await listFlags(service.ctx, 1)).toEqual([]);
});

test("counts and lists sign-ups from one network for 30 days, without its address", async () => {
  const service = await serviceForTest(options);
  const sato = await operatorOf(service, "Sato");
  for (const userId of ["hanako", "hanae"]) {
    const email = `${userId}-net@example.com`;
    const code = await requestSignUpCodeFor(service, mailbox, email);
    await service.call(register, signUpForm({ email, code, userId }));
  }
  await service.member("elsewhere", { at: null });
  const look = () => sato.call(listSameNetwork, { userId: "hanae", reason: "two accounts" });

  expect((await look()).members.map(({ user_id }) => user_id)).toEqual(["hanako", "hanae"]);
  const stored = await dumpTables(service.databaseUrl);
  const networks = stored.filter(({ name }) => name.endsWith("sign_up_networks"));
  expect(networks).toHaveLength(2);
  expect(placesWith(encodingsOf("127.0.0.1"), networks)).toEqual([]);

  service.clock.advance(31 * DAY_MS);
  await service.ctx.jobs.add(service.db, "sweep_moderation", {});
  await eventually(async () =>
    expect(await service.db.selectFrom("sign_up_networks").selectAll().execute()).toEqual([]),
  );
});
