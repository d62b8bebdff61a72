import { afterAll, expect, test } from "vitest";
import { deleteAccount, logIn, register, requestSignUpCode } from "@alcove/contract/accounts";
import { getOptions, passUser, saveLocation } from "@alcove/contract/discovery";
import { checkCoupon, useCoupon } from "@alcove/contract/membership";
import { saveFilter } from "@alcove/contract/profiles";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { foldMailbox } from "../members/email-addresses.ts";
import { createCoupon } from "../membership/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { openClient } from "../testing/browser.ts";
import { storedEmailJobs } from "../testing/jobs.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { agreed, requestSignUpCodeFor, signUpForm } from "../testing/sign-up.ts";
import { eventually, expectError, type TestService } from "../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const config = { smtpUrl: mailbox.url, trustProxy: true };
const TOKYO = "139.7671,35.6812";
const password = "quiet-evenings-7";

async function signUp(service: TestService, email: string, userId: string) {
  const code = await requestSignUpCodeFor(service, mailbox, email, mailbox.emails(email).length + 1);
  await service.call(register, signUpForm({ email, code, userId, search_sex: "all" }));
  const { access } = await service.call(logIn, { user_id: userId, password });
  return createClient(service.url, access);
}

test.each([
  ["Jo.Doe+x@Gmail.com", "jodoe@googlemail.com"],
  ["jo+spam@outlook.com", "jo@outlook.com"],
  ["jo@me.com", "jo@icloud.com"],
  ["jo+x@example.com", "JO@Example.COM"],
  ["ｊｏ．ｄｏｅ＠ｇｍａｉｌ．ｃｏｍ", "jodoe@gmail.com"],
  ["jo+news+x@bücher.example", "jo@xn--bcher-kva.example"],
  ["+jo@example.com", "+jo+x@example.com"],
  ["jo@yandex.com\u200B", "jo@ya.ru"],
  ["jo-doe@pm.me", "jodoe@proton.me"],
  ["jo-doe@ya.ru", "jo.doe+x@yandex.com"],
])("knows %s and %s as one mailbox", (one, other) => {
  expect(foldMailbox(one)).toBe(foldMailbox(other));
});

test.each([
  ["jo.doe@example.com", "jodoe@example.com"],
  ["+jo@example.com", "+taro@example.com"],
  ["jo@outlook.com", "jo@hotmail.com"],
  ["jo.doe@outlook.com", "jodoe@outlook.com"],
  ["jo.doe@ya.ru", "jodoe@ya.ru"],
])("knows %s and %s as two mailboxes", (one, other) => {
  expect(foldMailbox(one)).not.toBe(foldMailbox(other));
});

test("keeps a deleted user id taken for 90 days", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(deleteAccount, {});
  const tryAgain = async (email: string) => {
    const code = await requestSignUpCodeFor(service, mailbox, email);
    return service.call(register, signUpForm({ email, code, userId: "Hanako" }));
  };

  service.clock.advance(89 * DAY_MS);
  const { body } = await expectError(tryAgain("early@example.com"), "invalid_input");
  expect(body["validation_errors"]).toEqual({ user_id: ["user_id_taken"] });
  service.clock.advance(DAY_MS);
  expect((await tryAgain("late@example.com")).user.user_id).toBe("Hanako");
});

test("sends no code for the fourth account of a mailbox, deleted ones included, for 90 days", async () => {
  const service = await serviceForTest({ config });
  const first = await signUp(service, "h.anako@gmail.com", "hanako-1");
  await signUp(service, "hanako+2@gmail.com", "hanako-2");
  await signUp(service, "hanako@googlemail.com", "hanako-3");

  await first.call(deleteAccount, {});
  expect(await service.call(requestSignUpCode, { email: "han.ako@gmail.com", ...agreed })).toEqual({});
  const email = await mailbox.waitForEmail("han.ako@gmail.com");
  expect(email.code).toBeNull();
  expect(email.text).toContain("already has three accounts");
  expect(email.subject).toBe("Alcove: your request");

  service.clock.advance(90 * DAY_MS);
  await signUp(service, "hana.ko@gmail.com", "hanako-4");
});

test("counts the emails of a day for all addresses of a mailbox together", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true } });
  const emails = Array.from({ length: 20 }, (_, i) => `jiro+${i}@gmail.com`);

  for (const [i, email] of emails.entries())
    expect(
      await openClient(service, { network: `192.0.2.${i}` }).call(requestSignUpCode, { email, ...agreed }),
    ).toEqual({});

  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
  expect(emails.flatMap((email) => mailbox.emails(email))).toHaveLength(15);
});

test("creates three accounts when five sign up with one mailbox at the same time", async () => {
  const service = await serviceForTest({ config });
  const emails = Array.from({ length: 5 }, (_, i) => `taro+${i}@gmail.com`);
  const codes = await Promise.all(emails.map((email) => requestSignUpCodeFor(service, mailbox, email)));

  const outcomes = await Promise.allSettled(
    emails.map((email, i) =>
      service.call(register, signUpForm({ email, code: codes[i]!, userId: `taro-${i}` })),
    ),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await service.db.selectFrom("members").select("member_no").execute()).toHaveLength(3);
});

test("continues card, moves, filter changes and coupons of the day in the next account of a mailbox", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true } });
  service.clock.set("2026-05-05T12:00:00Z");
  await service.member("shiro", { sex: "male" });
  await createCoupon(service.ctx, {
    id: "SPRING",
    year: 0,
    month: 1,
    maxUses: 9,
    expiresAt: new Date("2027-01-01"),
  });
  const first = await signUp(service, "hanako@gmail.com", "hanako-1");
  for (const location of [TOKYO, "139.8,35.7"]) await first.call(saveLocation, { location });
  for (let i = 0; i < 6; i++) await first.call(saveFilter, { search_max_range: 100 + i });
  const [card] = (await first.call(getOptions, {})).options;
  await first.call(passUser, { unlikedId: card!.user_id });
  await first.call(useCoupon, { coupon_id: "SPRING" });
  await first.call(deleteAccount, {});

  const again = await signUp(service, "hana.ko@gmail.com", "hanako-2");
  await again.call(saveLocation, { location: TOKYO });

  const moves = service.db.selectFrom("profiles").select("cell_changes").orderBy("member_no", "desc");
  expect(await moves.executeTakeFirst()).toEqual({ cell_changes: 1 });
  expect(await again.call(getOptions, {})).toMatchObject({ options: [], reason: "card_used" });
  await expect(again.call(saveFilter, { search_max_range: 90 })).rejects.toMatchObject({
    body: { code: "distance_changes_used_up" },
  });
  await expect(again.call(checkCoupon, { coupon_id: "SPRING" })).rejects.toMatchObject({
    body: { code: "coupon_used" },
  });
  service.clock.set("2026-05-06T13:00:00Z");
  const { access } = await service.call(logIn, { user_id: "hanako-2", password });
  const later = createClient(service.url, access);
  expect((await later.call(getOptions, {})).options).toHaveLength(1);
  await later.call(saveFilter, { search_max_range: 90 });
  await expect(later.call(checkCoupon, { coupon_id: "SPRING" })).rejects.toMatchObject({
    body: { code: "coupon_used" },
  });
});
