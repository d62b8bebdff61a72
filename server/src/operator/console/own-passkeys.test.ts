import { expect, test } from "vitest";
import {
  addPasskey,
  getLog,
  getOperator,
  getPasskeys,
  removePasskey,
  startConfirmation,
  startEnrolment,
} from "@alcove/contract/console";
import { rounds } from "../../testing/rounds.ts";
import { ConsoleBrowser, operatorOf } from "../../testing/console.ts";
import { createPasskey, type Passkey } from "../../testing/passkey.ts";
import { expectError, testService } from "../../testing/test-service.ts";

const service = await testService({ config: { consolePort: 0 } });

const confirmation = async (browser: ConsoleBrowser, passkey: Passkey, except?: string) => {
  const { options } = await browser.call(startConfirmation, { except });
  return passkey.logIn(options, browser.origin);
};

/** An operator with a spare passkey, and the ids of both. */
async function operatorWithSpare(name: string) {
  const { browser, passkey } = await operatorOf(service, name);
  const { passkeys: before } = await browser.call(getPasskeys, {});
  const { token } = await browser.call(addPasskey, { confirmation: await confirmation(browser, passkey) });
  const spare = createPasskey();
  await new ConsoleBrowser(browser.origin).enrol(token, spare);
  const { passkeys } = await browser.call(getPasskeys, {});
  const [{ id }, spareId] = [before[0]!, passkeys.find((one) => one.id !== before[0]!.id)!.id];
  return { browser, passkey, id, spare, spareId };
}

test("registers a spare passkey after a check with the first, and lists both", async () => {
  const { browser, spare, id, spareId } = await operatorWithSpare("Sato");

  const other = new ConsoleBrowser(browser.origin);
  await other.logIn(spare);

  const today = service.clock.now().toISOString().slice(0, 10);
  const { passkeys } = await other.call(getPasskeys, {});
  expect(passkeys.toSorted((one) => (one.id === id ? -1 : 1))).toEqual([
    { id, kind: null, added_on: today, used_on: today },
    { id: spareId, kind: null, added_on: today, used_on: today },
  ]);
});

test("names the operator's passkeys to the browser, so that a device does not replace its own", async () => {
  const { browser, passkey, id, spareId } = await operatorWithSpare("Names");
  const idsOf = (list: unknown) => (list as { id: string }[]).map((one) => one.id).toSorted();

  const all = await browser.call(startConfirmation, {});
  const others = await browser.call(startConfirmation, { except: id });
  const { token } = await browser.call(addPasskey, { confirmation: await confirmation(browser, passkey) });
  const { options } = await browser.call(startEnrolment, { token });

  expect(idsOf(all.options["allowCredentials"])).toEqual([id, spareId].toSorted());
  expect(idsOf(others.options["allowCredentials"])).toEqual([spareId]);
  expect(idsOf(options["excludeCredentials"])).toEqual([id, spareId].toSorted());
});

test("removes a lost passkey with the other one, and ends other sessions and links", async () => {
  const { browser, passkey, id, spare } = await operatorWithSpare("Loses");
  const { token } = await browser.call(addPasskey, { confirmation: await confirmation(browser, passkey) });
  const mine = new ConsoleBrowser(browser.origin);
  await mine.logIn(spare);

  await mine.call(removePasskey, { id, confirmation: await confirmation(mine, spare, id) });

  expect((await mine.call(getPasskeys, {})).passkeys).toHaveLength(1);
  await expectError(browser.call(getOperator, {}), "login_required");
  await expectError(browser.logIn(passkey), "wrong_passkey");
  await expectError(mine.call(startEnrolment, { token }), "not_found");
});

test("never removes the last passkey, also when two remove each other at the same time", async () => {
  const alone = await operatorOf(service, "Alone");
  const [only] = (await alone.browser.call(getPasskeys, {})).passkeys;
  await expectError(
    alone.browser.call(removePasskey, {
      id: only!.id,
      confirmation: await confirmation(alone.browser, alone.passkey),
    }),
    "wrong_passkey",
  );

  for (let i = 0; i < rounds(20); i++) {
    const { browser, passkey, id, spare, spareId } = await operatorWithSpare(`Both ${i}`);
    const byFirst = { id: spareId, confirmation: await confirmation(browser, passkey) };
    const bySpare = { id, confirmation: await confirmation(browser, spare) };

    const outcomes = await Promise.allSettled([
      browser.call(removePasskey, byFirst),
      browser.call(removePasskey, bySpare),
    ]);

    expect(outcomes).toContainEqual(expect.objectContaining({ status: "fulfilled" }));
    expect(outcomes).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: "wrong_passkey" }) }),
    );
    expect((await browser.call(getPasskeys, {})).passkeys).toHaveLength(1);
  }
});

test("changes no passkeys without a check, with another operator's passkey or of another operator", async () => {
  const { browser, passkey, id } = await operatorWithSpare("Right");
  const other = await operatorWithSpare("Other");
  const wrong = (confirmed: Record<string, unknown>) =>
    expectError(browser.call(addPasskey, { confirmation: confirmed }), "wrong_passkey");

  await wrong({});
  await wrong(await confirmation(browser, other.passkey));
  const right = await confirmation(browser, passkey);
  await browser.call(addPasskey, { confirmation: right });
  await wrong(right);
  await expectError(
    browser.call(removePasskey, { id: other.id, confirmation: await confirmation(browser, passkey) }),
    "not_found",
  );
  await expectError(
    browser.call(removePasskey, { id, confirmation: await confirmation(browser, other.passkey) }),
    "wrong_passkey",
  );

  for (const { browser: one } of [{ browser }, other])
    expect((await one.call(getPasskeys, {})).passkeys).toHaveLength(2);
});

test("logs each change of passkeys with the operator's name", async () => {
  const { browser, passkey, spareId } = await operatorWithSpare("Logged");

  await browser.call(removePasskey, { id: spareId, confirmation: await confirmation(browser, passkey) });

  const { entries } = await browser.call(getLog, {});
  expect(
    entries
      .filter(({ operator, action }) => operator === "Logged" && action.startsWith("passkeys"))
      .map(({ action }) => action),
  ).toEqual(["passkeys remove", "passkeys register", "passkeys add", "passkeys register"]);
});
