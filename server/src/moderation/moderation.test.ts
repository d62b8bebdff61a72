import { afterAll, expect, test } from "vitest";
import { register } from "@alcove/contract/accounts";
import { listSameNetwork } from "@alcove/contract/console";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS } from "../platform/clock.ts";
import { operatorOf } from "../testing/console.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { requestSignUpCodeFor, signUpForm } from "../testing/sign-up.ts";
import { eventually } from "../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const options = { config: { consolePort: 0, smtpUrl: mailbox.url } };

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
