import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { signUp, type SignedUp } from "@alcove/sandbox/client";
import type { Mailbox } from "@alcove/sandbox/mail";
import { personOf } from "@alcove/sandbox/people";
import { message, texts, write } from "./chatting.ts";
import { enter } from "./entering.ts";
import { mouse } from "./hands.ts";
import { expect, test } from "./stage.ts";

let pairs = 0;

/** Two members who like each other, far from everybody of other tests. */
async function matchedPair(url: string, mailbox: Mailbox): Promise<[SignedUp, SignedUp]> {
  const place = `${-170 + 12 * pairs},${-45}`;
  const name = `chat-${++pairs}-${Date.now().toString(36)}`;
  const [hanako, taro] = await Promise.all([
    signUp(url, mailbox, personOf(`${name}-h`, { username: "花子" })),
    signUp(url, mailbox, personOf(`${name}-t`, { username: "Taro", sex: "male" })),
  ]);
  await Promise.all([hanako, taro].map((member) => member.ask(saveLocation, { location: place })));
  await hanako.ask(likeUser, { likedId: taro.userId });
  await taro.ask(likeUser, { likedId: hanako.userId });
  return [hanako, taro];
}

const say = (from: SignedUp, to: SignedUp, description: string) =>
  from.ask(sendDm, { receiverId: to.userId, description });

test("a message that arrives while the page is still connecting is not missed", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const visitor = await visit();
  let connect = () => {};
  const mayConnect = new Promise<void>((done) => (connect = done));
  await visitor.context.route("**/api/ws-ticket", async (route) => {
    await mayConnect;
    await route.continue();
  });
  await enter(visitor, hanako, `/dm/${taro.userId}`);
  await expect(visitor.page.getByText(visitor.words.chat.sayHello)).toBeVisible();

  await say(taro, hanako, "Between history and socket.");
  connect();

  await expect(message(visitor, "Between history and socket.")).toBeVisible();
});

test("a connection that breaks while the list is asked for leaves the open conversation where it is", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const visitor = await visit();
  const { page, words } = visitor;
  await enter(visitor, hanako, `/dm/${taro.userId}`);
  await say(taro, hanako, "Before the tunnel.");
  await expect(message(visitor, "Before the tunnel.")).toBeVisible();
  await page.getByRole("textbox", { name: words.chat.write }).fill("Half a thou");
  const isAsked = page.waitForRequest("**/last-dms");
  await visitor.context.route("**/last-dms", () => new Promise(() => {}));

  await say(taro, hanako, "At its mouth.");
  await isAsked;
  await visitor.goOffline();
  await visitor.context.unrouteAll({ behavior: "ignoreErrors" });

  await expect(message(visitor, "At its mouth.")).toBeVisible();
  await say(taro, hanako, "While you were in it.");
  await visitor.comeBack();
  await expect(message(visitor, "While you were in it.")).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole("textbox", { name: words.chat.write })).toHaveValue("Half a thou");
});

test("older messages load when scrolling to the top, each once and in order", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const all = Array.from({ length: 230 }, (_, i) => `Message ${i}`);
  for (const [i, text] of all.entries())
    await (i % 3 === 0 ? say(hanako, taro, text) : say(taro, hanako, text));
  const visitor = await visit({ language: "ja", device: "phone" });
  await enter(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Message 229")).toBeInViewport();
  expect((await texts(visitor)).length).toBeLessThan(230);

  const log = visitor.page.getByRole("region", { name: visitor.words.chat.messages });
  await expect(async () => {
    await log.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
    expect((await texts(visitor)).length).toBe(230);
  }).toPass({ timeout: 30_000 });

  expect(await texts(visitor)).toEqual(all);
});

test("a block ends the conversation that the other side has open", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  await say(taro, hanako, "Will you answer?");
  const visitor = await visit();
  const { page, words } = visitor;
  visitor.expectComplaint(/status of 404/);
  await enter(visitor, taro, `/dm/${hanako.userId}`);
  await expect(message(visitor, "Will you answer?")).toBeVisible();
  await page.getByRole("textbox", { name: words.chat.write }).fill("Hello?");

  await hanako.ask(blockUser, { userId: taro.userId });
  // The page may have noticed by itself.
  const send = page.getByRole("button", { name: words.chat.send });
  await send.click({ timeout: 2_000 }).catch(() => undefined);

  await expect(page.getByText(words.chat.closed).first()).toBeVisible();
  await expect(message(visitor, "Will you answer?")).toBeHidden();
  await visitor.open("/dm");
  await expect(page.getByText(words.messages.empty)).toBeVisible();
});

test("a new match and its first message appear in the list without a reload", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const visitor = await visit({ language: "zh-hant" });
  const { page, words } = visitor;
  await enter(visitor, hanako, "/dm");
  await expect(page.getByRole("heading", { name: words.messages.newMatches })).toBeVisible();

  await say(taro, hanako, "第一句話");

  await expect(page.getByRole("link", { name: "第一句話" })).toBeVisible();
  await expect(page.getByRole("heading", { name: words.messages.newMatches })).toBeHidden();
});

test("what is sent on one device shows on the other", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const [phone, desktop] = [await visit({ device: "phone" }), await visit()];
  for (const device of [phone, desktop]) {
    await enter(device, hanako, `/dm/${taro.userId}`);
    await expect(device.page.getByText(device.words.chat.sayHello)).toBeVisible();
  }

  await write(desktop, mouse, "From the desk.");
  await expect(message(phone, "From the desk.")).toBeVisible();
  await write(phone, mouse, "From the sofa.");

  await expect(message(desktop, "From the sofa.")).toBeVisible();
  await expect.poll(() => texts(phone)).toEqual(["From the desk.", "From the sofa."]);
});
