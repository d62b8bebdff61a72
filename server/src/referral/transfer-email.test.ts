import { afterAll, expect, test } from "vitest";
import { transferBrokerage } from "@alcove/contract/referral";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { startMailbox } from "@alcove/test-services/mail";
import { moneyText } from "../platform/i18n.ts";
import { makeJobsDue, storedEmailJobs } from "../testing/jobs.ts";
import { referralTests } from "../testing/referral.ts";
import { eventually, expectError } from "../testing/test-service.ts";

const { paypal, buy, shop, hanakoWhoInvitedTaro } = await referralTests();
const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const shopWithEmail = () => shop({ smtpUrl: mailbox.url });

const email = "payee@example.com";

test("emails the member about each transfer in their language, without names", async () => {
  const service = await shopWithEmail();
  for (const language of languages) {
    const member = await service.member(`earns-${language}`, { at: null });
    await service.db
      .updateTable("members")
      .set({ language })
      .where("member_no", "=", member.memberId)
      .execute();
    const buyer = await service.member(`buys-${language}`, { at: null, invitedBy: member.memberId });
    await buy(buyer, { year: 1 });

    await member.call(transferBrokerage, { email, price: 16 });
    const sentEmail = await mailbox.waitForEmail(`earns-${language}@example.com`);
    await buy(buyer, { year: 2 });
    await member.call(transferBrokerage, { email, price: 32 });
    const second = await mailbox.waitForEmail(`earns-${language}@example.com`, 2);

    const { transferred, transferredNext } = allTranslations[language].emails;
    expect(sentEmail.text).toContain(
      transferred.replace("{amount}", moneyText(language, "USD", 16, { hasCents: true })),
    );
    expect(sentEmail.text).toContain(transferredNext.replace("{support}", "hello@alcove.example"));
    expect(second.text).toContain("$32.00");
    expect(second.messageId).not.toBe(sentEmail.messageId);
    expect(sentEmail.subject).not.toContain("16");
    expect(sentEmail.subject + sentEmail.text + sentEmail.html).not.toMatch(
      /match|marri|dating|結婚|既婚|已婚|交友|婚|earns-|buys-|payee/i,
    );
  }
});

test("repeats the Message-ID when the email about a transfer is sent twice", async () => {
  const service = await shopWithEmail();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await mailbox.waitForEmail("taro@example.com"); // his receipt
  mailbox.loseNextResponse();

  await hanako.call(transferBrokerage, { email, price: 16 });
  const copy = await eventually(async () => {
    await makeJobsDue(service);
    const [, second] = mailbox.emails("hanako@example.com");
    expect(second).toBeDefined();
    return second!;
  });

  expect(copy.messageId).toBe(mailbox.emails("hanako@example.com")[0]!.messageId);
});

test("queues the email with the transfer, without the address of either", async () => {
  const service = await shopWithEmail();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  // The receipt of the purchase may still wait.
  await service.ctx.jobs.stop();
  const before = await storedEmailJobs(service);
  await paypal.injectFault({ call: "create payout", fault: "hanging up" });

  await expectError(hanako.call(transferBrokerage, { email, price: 15 }), "transfer_differs");
  expect(await storedEmailJobs(service)).toEqual(before);
  await hanako.call(transferBrokerage, { email, price: 16 });

  const [job, ...more] = (await storedEmailJobs(service)).slice(before.length);
  expect(more).toEqual([]);
  expect(job).not.toContain("example.com");
});
