import { afterAll, expect, test } from "vitest";
import { checkSignUpCode, register } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { startMailbox } from "@alcove/test-services/mail";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError } from "../../testing/test-service.ts";
import { requestSignUpCodeFor, signUpForm, wrongCode } from "../../testing/sign-up.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { config: { smtpUrl: mailbox.url } };

test("rejects even the correct code when five wrong ones were tried", async () => {
  const service = await serviceForTest(smtp);
  const email = "five@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);

  for (let miss = 1; miss < CODE_MISSES; miss++) {
    expect(await service.call(checkSignUpCode, { email, code: wrongCode(code, miss) })).toBe(false);
  }
  expect(await service.call(checkSignUpCode, { email, code })).toBe(true);
  expect(await service.call(checkSignUpCode, { email, code: wrongCode(code) })).toBe(false);

  expect(await service.call(checkSignUpCode, { email, code })).toBe(false);
  const { body } = await expectError(service.call(register, signUpForm({ email, code })), "invalid_input");
  expect(body["validation_errors"]).toEqual({ code: ["code_wrong"] });
});

test("accepts five new guesses when a new email is sent", async () => {
  const service = await serviceForTest(smtp);
  const email = "again@example.com";
  const first = await requestSignUpCodeFor(service, mailbox, email);
  for (let miss = 1; miss <= CODE_MISSES; miss++) {
    await service.call(checkSignUpCode, { email, code: wrongCode(first, miss) });
  }
  service.clock.advance(1_000);

  const second = await requestSignUpCodeFor(service, mailbox, email, 2);

  expect(await service.call(checkSignUpCode, { email, code: second })).toBe(true);
});

test("keeps the count of wrong guesses when the same email is sent again", async () => {
  const service = await serviceForTest(smtp);
  const email = "copies@example.com";
  mailbox.loseNextResponse();
  const code = await requestSignUpCodeFor(service, mailbox, email);
  for (let miss = 1; miss <= CODE_MISSES; miss++) {
    await service.call(checkSignUpCode, { email, code: wrongCode(code, miss) });
  }

  await mailbox.waitForEmail(email, 2);

  expect(await service.call(checkSignUpCode, { email, code })).toBe(false);
});

test("checks only five codes when forty arrive at the same time", async () => {
  const service = await serviceForTest(smtp);
  for (let round = 0; round < 5; round++) {
    const email = `guess${round}@example.com`;
    const code = await requestSignUpCodeFor(service, mailbox, email);

    const guesses = Array.from({ length: 40 }, (_, i) => wrongCode(code, i + 1));
    await Promise.all(guesses.map((guess) => service.call(checkSignUpCode, { email, code: guess })));

    expect(await service.call(checkSignUpCode, { email, code })).toBe(false);
  }
  const rounds = await service.db.selectFrom("codes").select("network_misses").execute();
  expect(rounds.map(({ network_misses }) => network_misses)).toEqual([5, 5, 5, 5, 5]);
});

test("counts wrong codes of the last step like those of the second", async () => {
  const service = await serviceForTest(smtp);
  const email = "last@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);

  for (let miss = 1; miss <= CODE_MISSES; miss++) {
    await expectError(
      service.call(register, signUpForm({ email, code: wrongCode(code, miss) })),
      "invalid_input",
    );
  }

  await expectError(service.call(register, signUpForm({ email, code })), "invalid_input");
  expect(await service.db.selectFrom("members").select("member_no").execute()).toEqual([]);
});

test("accepts a code for ten minutes", async () => {
  const service = await serviceForTest(smtp);
  const email = "ten@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);

  service.clock.advance(10 * 60_000);

  expect(await service.call(checkSignUpCode, { email, code })).toBe(false);
});

test("accepts a code in the last step for an hour after the second step, however often that is repeated", async () => {
  const service = await serviceForTest(smtp);
  const [slow, late] = ["slow@example.com", "late@example.com"];
  const codes = {
    [slow]: await requestSignUpCodeFor(service, mailbox, slow),
    [late]: await requestSignUpCodeFor(service, mailbox, late),
  };
  service.clock.advance(10 * 60_000 - 1);
  for (const email of [slow, late])
    expect(await service.call(checkSignUpCode, { email, code: codes[email]! })).toBe(true);
  service.clock.advance(60 * 60_000 - 1);
  for (const email of [slow, late])
    expect(await service.call(checkSignUpCode, { email, code: codes[email]! })).toBe(true);

  await service.call(register, signUpForm({ email: slow, code: codes[slow]! }));
  service.clock.advance(1);

  const form = signUpForm({ email: late, code: codes[late]!, userId: "late" });
  await expectError(service.call(register, form), "invalid_input");
});

test("rejects a code when it was sent to another address", async () => {
  const service = await serviceForTest(smtp);
  const code = await requestSignUpCodeFor(service, mailbox, "mine@example.com");

  expect(await service.call(checkSignUpCode, { email: "other@example.com", code })).toBe(false);
  await expectError(
    service.call(register, signUpForm({ email: "other@example.com", code })),
    "invalid_input",
  );
});

test.each(["０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९"])(
  "accepts a code when it is typed with spaces and the digits %s",
  async (digits) => {
    const service = await serviceForTest(smtp);
    const email = `digits-${digits.codePointAt(0)}@example.com`;
    const code = await requestSignUpCodeFor(service, mailbox, email);

    const typed = code.replaceAll(/\d/g, (digit) => ` ${digits[Number(digit)]}`);

    expect(await service.call(checkSignUpCode, { email, code: typed })).toBe(true);
  },
);
