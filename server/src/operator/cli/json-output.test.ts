import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languages } from "@alcove/i18n";
import { deleteAccount as deleteAccountCall, getDeletionReceipt } from "@alcove/contract/accounts";
import { requestCorrection } from "@alcove/contract/corrections";
import { askHelp } from "@alcove/contract/help";
import { createBankOrder, withdraw } from "@alcove/contract/membership";
import { askNewEmail } from "@alcove/contract/mailboxes";
import { sendDm } from "@alcove/contract/messaging";
import { transferBrokerage } from "@alcove/contract/referral";
import { appealCase } from "@alcove/contract/cases";
import { sendNotice } from "@alcove/contract/notices";
import { saveProfile } from "@alcove/contract/profiles";
import { pressThreat, reportUser } from "@alcove/contract/safety";
import { announceDecisions } from "../../testing/cases.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { sendSampleDocument } from "../../testing/age-check.ts";
import { environmentOf, operatorReading } from "../../testing/operator.ts";
import { withServerParts, createRestoreTarget, temporaryFolder } from "../../testing/restore-target.ts";
import { match } from "../../testing/match.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";
import { buy, fakePayPalForFile } from "../../testing/paypal.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { deleteAccount } from "../members.ts";
import type { Fields, Output } from "./command-line.ts";
import { groups, helpFor, parseCommand } from "./commands/index.ts";

const { paypal, config } = await fakePayPalForFile();

/** The field names of an output; `list.name` for list items. */
function namesIn(output: Output): string[] {
  return Object.entries(output).flatMap(([name, value]) => {
    const inner = Array.isArray(value) ? (value as Fields[]).flatMap((one) => namesIn(one)) : [];
    return [name].concat(inner.map((one) => `${name}.${one}`));
  });
}

test("describes exactly the fields that each command prints", async () => {
  const service = await serviceForTest({
    config: { ...config, bankDetails: "IBAN", consoleUrl: "https://console.example" },
  });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  const bought = await buy(paypal, taro, { year: 1 });
  await match(hanako, taro);
  const file = fileOf(await quarters().jpeg().toBuffer());
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", file });
  await hanako.call(reportUser, { userId: "taro", reason: "spam", dmId: dm.id });
  await paypal.injectFault({ call: "create payout", fault: "hanging up" });
  await hanako.call(transferBrokerage, { email: "payee@example.com", price: 16 });
  const lost = { batchId: randomUUID(), itemId: randomUUID(), email: "payee@example.com", cents: 2_000 };
  const { payoutBatchId } = await service.ctx.payments!.createPayout(lost);

  const namesByCommand = new Map<string, Set<string>>();
  const operator = async (line: string, ctx: AppContext = service.ctx, { databaseUrl } = service) => {
    const words = line.split(" ");
    const parsed = parseCommand(words)!;
    const outputs = [await parsed.run(ctx, parsed.reason, { databaseUrl })].flat() as Output[];
    expect(outputs, line).not.toHaveLength(0);
    const command = (words[1] ?? "-").startsWith("-") ? words[0]! : words.slice(0, 2).join(" ");
    const names = namesByCommand.get(command) ?? new Set();
    namesByCommand.set(command, new Set([...names, ...outputs.flatMap(namesIn)]));
    return outputs[0] as Fields;
  };
  const found = await operatorReading(
    "taro@example.com",
    environmentOf(service),
    "members",
    "find",
    "--json",
  );
  namesByCommand.set("members find", new Set(namesIn(JSON.parse(found.out) as Output)));
  await taro.call(saveProfile, { icon: file, icon_process: false });
  const { number: notice } = await service.call(sendNotice, {
    kind: "other",
    text: "A picture of me.",
    name: "Akiko",
    email: "akiko@example.com",
    good_faith: "yes",
  });
  await service.db.updateTable("notices").set({ state: "answered" }).execute();
  const objection = await operatorReading(
    "It is me.",
    environmentOf(service),
    "notices",
    "appeal",
    notice,
    "--json",
  );
  namesByCommand.set("notices appeal", new Set(namesIn(JSON.parse(objection.out) as Output)));
  await operator(`transparency --year 2027 --to ${await temporaryFolder()}`);
  const { id: picture } = await operator("pictures list");
  await operator(`pictures show ${picture!} --to ${join(await temporaryFolder(), "picture.jpg")}`);
  await operator(`pictures approve ${picture!}`);
  await hanako.call(saveProfile, { icon: file, icon_process: false });
  const { id: removed } = await operator("pictures list");
  await operator(`pictures remove ${removed!} --rule picture --reason stolen`);
  await hanako.call(askHelp, { text: "How do I pay?" });
  const { id: question } = await operator("help list");
  await operator(`help show ${question!}`);
  const answered = await operatorReading(
    "By card.",
    environmentOf(service),
    "help",
    "answer",
    question!,
    "--json",
  );
  namesByCommand.set("help answer", new Set(namesIn(JSON.parse(answered.out) as Output)));
  await hanako.call(askHelp, { text: "Thank you." });
  const { id: thanks } = await operator("help list");
  await operator(`help close ${thanks!}`);
  await operator("members show taro");
  await operator("members show hanako");
  await operator("members grant taro --month 1");
  await operator("members revoke-grant taro");
  await operator("members percentage taro 25");
  const text = join(await temporaryFolder(), "text");
  for (const language of languages) await writeFile(`${text}.${language}.txt`, "Hello\n\nText");
  await writeFile(`${text}.ids`, "taro\nnobody");
  await operator(`announce --to ${text}.ids --text-file ${text}`);
  const { number } = await operator("cases list");
  await operator(`cases show ${number!}`);
  await operator(`cases picture ${number!} --to ${join(await temporaryFolder(), "evidence.jpg")}`);
  await operator(`cases decide ${number!} --decision warn --rule fraud --reason joke`);
  await operator(`cases show ${number!}`);
  service.clock.advance(HOUR_MS);
  await announceDecisions(service.ctx);
  await (await logInAgain(service, taro)).call(appealCase, { text: "It was a joke." });
  await operator(`cases appeal ${number!} --decision reverse --reason right`);
  await operator("cases open taro");
  await sendSampleDocument(service, await logInAgain(service, hanako));
  const { id: check } = await operator("age-checks list");
  await operator(`age-checks decide ${check!} --outcome different`);
  for (const decision of ["reject", "accept"]) {
    const asking = await logInAgain(service, hanako);
    await asking.call(requestCorrection, { date_of_birth: "1984-04-04", reason: "A slip." });
    const { id: correction } = await operator("corrections list");
    await operator(`corrections show ${correction!}`);
    await operator(`corrections ${decision} ${correction!}`);
  }
  const leaver = await service.member("leaver", { at: null });
  await leaver.call(deleteAccountCall, {});
  const { receipt } = await service.call(getDeletionReceipt, { token: leaver.refresh });
  const record = join(await temporaryFolder(), "record.txt");
  await writeFile(record, receipt);
  await operator(`receipt verify ${record}`);
  await operator("coupons create --id SPRING --month 1 --max-uses 3 --expires-at 2100-01-01");
  await operator("coupons list");
  await operator("coupons disable SPRING");
  const plan = { currency: "USD", price: 80, year: 1, month: 0, country: "DE" } as const;
  const buyer = await logInAgain(service, hanako);
  const { order_id, reference } = await buyer.call(createBankOrder, plan);
  await operator("orders bank-list");
  await operator(`orders bank-paid ${reference}`);
  await buyer.call(withdraw, { order_id });
  await operator(`orders bank-refunded ${reference}`);
  await operator("orders list");
  await operator(`orders reconcile ${bought.order_id}`);
  await operator("orders reconcile");
  service.clock.advance(21 * DAY_MS);
  const { id: payout } = await operator("payouts list");
  await operator(`payouts reconcile ${payout!}`);
  await operator("payouts reconcile");
  await operator(`payouts return ${payout!}`);
  await operator(`payouts import hanako --amount 20 --currency USD --batch ${payoutBatchId}`);
  const day = utcDay(new Date());
  const figure = (name: string) => ({ day, figure: name, value: 12, part: randomUUID() });
  await service.db
    .insertInto("daily_figures")
    .values(["members_in:DE", "buyers_in:DE"].map(figure))
    .execute();
  await operator(`stats --from ${day}`);
  await operator("payments show");
  const { path } = await operator(`backup --to ${join(await temporaryFolder(), "backup.tar")}`);
  await operator(`backup check ${path!}`);
  const { path: keys } = await operator(`keys backup --to ${join(await temporaryFolder(), "keys.tar")}`);
  await operator(
    `restore test --from ${path!} --keys ${keys!} --deletions ${service.ctx.config.deletionsDir}`,
  );
  const place = await createRestoreTarget(service);
  await withServerParts(service, place, (ctx) =>
    operator(`restore --from ${path!} --keys ${keys!} --deletions ${service.ctx.config.deletionsDir}`, ctx, {
      ...service,
      ...place,
    }),
  );
  await withServerParts(service, place, (ctx) => operator("payments release", ctx, { ...service, ...place }));
  await operator("keys rotate");
  await operator("members log-out taro");
  await operator("members suspend taro");
  await operator("members restore taro");
  const askForEmail = async () => {
    const form = { user_id: "taro", email: "taro-new@example.com", text: "I joined in spring." };
    await service.call(askNewEmail, form);
    return eventually(async () => {
      const query = service.db
        .selectFrom("mailbox_requests")
        .select("request_id")
        .where("state", "=", "open");
      return (await query.executeTakeFirstOrThrow()).request_id;
    });
  };
  await askForEmail();
  await operator("members email-requests");
  await operator("members reject-email taro");
  await operator(`members email-request ${await askForEmail()}`);
  await service.db.updateTable("mailbox_requests").set({ asked_on: "2020-01-01", told: 3 }).execute();
  await operator("members set-email taro");
  await operator("members delete taro");
  await operator("operators add Sato");
  await operator("operators reset Sato");
  await operator("operators list");
  const ofConsole = { operatorId: randomUUID(), reason: "asked for" };
  for (const name of ["jiro", "goro"]) {
    await service.member(name, { at: null });
    await deleteAccount(service.ctx, ofConsole, name);
  }
  const { id: request } = await operator("approvals list");
  await operator(`approvals approve ${request!}`);
  const { id: rejected } = await operator("approvals list");
  await operator(`approvals reject ${rejected!}`);
  await operator("operators remove Sato");
  const [yuki, ken] = [await service.member("yuki", { at: null }), await service.member("ken", { at: null })];
  await match(yuki, ken);
  await ken.call(sendDm, { receiverId: "yuki", description: "Pay, or your wife hears of it." });
  const { number: threat } = await yuki.call(pressThreat, { userId: "ken", hide: false });
  const evidence = join(await temporaryFolder(), "evidence.txt");
  await operator(`evidence export ${threat} --to ${evidence}`);
  await operator(`evidence verify ${evidence}`);
  await operator("log list");
  await operator("migrate");

  const commands = Object.entries(groups).flatMap(([group, some]) =>
    Object.entries(some).map(([name, command]) => [`${group} ${name}`.trimEnd(), command] as const),
  );
  // Output of the cluster's commands needs Citus: `npm run citus` runs them.
  for (const [name, { fields }] of commands.filter(([command]) => !command.startsWith("cluster ")))
    expect([...(namesByCommand.get(name) ?? [])].toSorted(), name).toEqual(Object.keys(fields).toSorted());
  for (const [group, some] of Object.entries(groups))
    for (const field of Object.values(some).flatMap(({ fields }) => Object.keys(fields)))
      expect(helpFor([group])).toContain(`\n  ${field} `);
}, 120_000);
