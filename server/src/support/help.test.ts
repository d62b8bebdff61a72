import { afterAll, expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { answerHelp, closeHelp, getHelpQueue, openHelp } from "@alcove/contract/console-help";
import { getLog } from "@alcove/contract/console";
import { askHelp, getHelp } from "@alcove/contract/help";
import { startMailbox } from "@alcove/test-services/mail";
import { operatorOf } from "../testing/console.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { environmentOf, operatorReading } from "../testing/operator.ts";
import { fakePushServiceForFile, notify } from "../testing/pushes.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError } from "../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const { pushes, withPushes, subscribe } = await fakePushServiceForFile();
const options = { config: { ...withPushes.config, consolePort: 0, smtpUrl: mailbox.url } };

const QUESTION = "How do I change my address?";
const ANSWER = "Under Settings, in a minute.";

test("lets operators reply to a question, of which the queue shows neither member nor text", async () => {
  const service = await serviceForTest(options);
  service.clock.set("2027-03-04T10:20:30.250Z");
  const hanako = await service.member("hanako", { at: null });
  const sato = await operatorOf(service, "Sato");
  await hanako.call(askHelp, { text: QUESTION });

  const queue = await sato.call(getHelpQueue, {});
  expect(queue).toEqual({ threads: [{ id: expect.any(String), since: "2027-03-04", questions: 1 }] });
  const { id } = queue.threads[0]!;
  const opened = await sato.call(openHelp, { id });
  expect(opened).toMatchObject({ id, user_id: "hanako", messages: [{ from: "me", text: QUESTION }] });
  await sato.call(answerHelp, { id, text: ANSWER });

  expect((await sato.call(getHelpQueue, {})).threads).toEqual([]);
  const { messages } = await hanako.call(getHelp, {});
  expect(messages.map(({ from, text, created_at }) => [from, text, created_at])).toEqual([
    ["me", QUESTION, "2027-03-04T10:20:30.250Z"],
    ["operator", ANSWER, "2027-03-04T10:20:30.250Z"],
  ]);
  const { entries } = await sato.call(getLog, {});
  expect(entries.slice(1, 5).map(({ action, subject }) => [action, subject])).toEqual([
    ["help list", null],
    ["help answer", "hanako"],
    ["help show", "hanako"],
    ["help list", null],
  ]);
});

test("rejects a reply when the member or another operator has written since", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });
  const sato = await operatorOf(service, "Sato");
  const suzuki = await operatorOf(service, "Suzuki");
  await hanako.call(askHelp, { text: QUESTION });
  const [first] = (await sato.call(getHelpQueue, {})).threads;
  await hanako.call(askHelp, { text: "And my name?" });

  await expectError(sato.call(answerHelp, { id: first!.id, text: ANSWER }), "conflict");
  await expectError(sato.call(closeHelp, { id: first!.id }), "conflict");
  const { id } = await sato.call(openHelp, { id: first!.id });
  const answers = await Promise.allSettled([
    sato.call(answerHelp, { id, text: ANSWER }),
    suzuki.call(answerHelp, { id, text: "Hello." }),
  ]);

  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await hanako.call(getHelp, {})).messages).toHaveLength(3);
  expect((await sato.call(getHelpQueue, {})).threads).toEqual([]);
});

test("notifies of a reply without its text, by push, else by email, and open pages by a frame", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("helped-by-push", { at: null });
  const taro = await service.member("helped-by-email", { at: null });
  const sato = await operatorOf(service, "Sato");
  const device = await subscribe(hanako);
  const events = await hanako.socket("/ws/events");
  for (const member of [hanako, taro]) {
    await member.call(askHelp, { text: QUESTION });
    const [thread] = (await sato.call(getHelpQueue, {})).threads;
    await sato.call(answerHelp, { id: thread!.id, text: ANSWER });
  }

  await notify(service);
  const [push] = await eventually(async () => {
    const received = await pushes.received(device.endpoint);
    expect(received).toHaveLength(1);
    return received;
  });
  expect(JSON.parse(push!.text)).toMatchObject({ title: "Alcove", body: "You have something new." });
  await eventually(() => expect(events.frames).toContainEqual({ help: {} }));
  const email = await mailbox.waitForEmail("helped-by-email@example.com");
  expect(email.subject).toBe("Alcove: your account");
  expect(email.text).toContain("There is something new in your account.");
  expect(email.text).not.toContain(ANSWER);
  expect(mailbox.emails("helped-by-push@example.com")).toEqual([]);
});

test("stores texts only encrypted, and nothing after the deletion of the account", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(askHelp, { text: QUESTION });
  expect(placesWith(encodingsOf(QUESTION), await dumpTables(service.databaseUrl))).toEqual([]);

  await hanako.call(deleteAccount, {});

  expect(await service.db.selectFrom("help_messages").selectAll().execute()).toEqual([]);
});

test("replies to a thread by the command line, which reads the text from standard input", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(askHelp, { text: QUESTION });
  const run = async (input: string, ...args: string[]) => {
    const { out, problems, code } = await operatorReading(
      input,
      environmentOf(service),
      "help",
      ...args,
      "--json",
    );
    expect({ code, problems }).toEqual({ code: 0, problems: "" });
    return JSON.parse(out) as Record<string, string>[];
  };

  const [thread] = await run("", "list");
  await run(`${ANSWER}\n`, "answer", thread!["id"]!);

  const shown = await run("", "show", thread!["id"]!);
  expect(shown.map(({ user_id, from, text }) => [user_id, from, text])).toEqual([
    ["hanako", "member", QUESTION],
    ["hanako", "operator", ANSWER],
  ]);
  expect(await run("", "list")).toEqual([]);
});
