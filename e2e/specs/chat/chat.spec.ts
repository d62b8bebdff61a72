import type { Locator, Request } from "@playwright/test";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { getDms, getLastDms, sendDm, unsendDm, type Dm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import type { Mailbox } from "@alcove/test-services/mail";
import { personOf } from "@alcove/test-services/fixtures";
import { message, interceptMessages, messageTexts, sendMessage } from "../../actions/chat-actions.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { enlargeText } from "../../actions/a11y-checks.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

// Some meet more than one member on one day.
test.use({ freeCards: "100" });

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

/** So many messages of both; answers their texts in their order. One conversation takes them one by one: more in flight only wait. */
async function fillConversation(hanako: SignedUp, taro: SignedUp, count: number): Promise<string[]> {
  const dms: Dm[] = [];
  let next = 0;
  const sendSome = async () => {
    while (next < count) {
      const i = next++;
      const { dm } = await (i % 3 ? say(taro, hanako, `Message ${i}`) : say(hanako, taro, `Message ${i}`));
      dms.push(dm);
    }
  };
  await Promise.all(Array.from({ length: 4 }, sendSome));
  return dms.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ description }) => description!);
}

/** Whether a page that is connected has been told all that it asked for then: its list, and who is a match. */
function watchCatchingUp({ page }: Visitor): () => boolean {
  const [asked, answered] = [new Set<Request>(), new Set<Request>()];
  page.on("websocket", () => {
    page.on("request", (request) => request.url().endsWith("/last-dms") && asked.add(request));
    page.on("requestfinished", (request) => asked.has(request) && answered.add(request));
  });
  return () => asked.size >= 2 && answered.size === asked.size;
}

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
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(visitor.page.getByText(visitor.t.chat.sayHello)).toBeVisible();

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
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await say(taro, hanako, "Before the tunnel.");
  await expect(message(visitor, "Before the tunnel.")).toBeVisible();
  await page.getByRole("textbox", { name: t.chat.write }).fill("Half a thou");
  const isAsked = page.waitForRequest("**/last-dms");
  await visitor.context.route("**/last-dms", () => new Promise(() => {}));

  await say(taro, hanako, "At its mouth.");
  await isAsked;
  await visitor.goOffline();
  await visitor.context.unrouteAll({ behavior: "ignoreErrors" });

  await expect(message(visitor, "At its mouth.")).toBeVisible();
  await say(taro, hanako, "While you were in it.");
  await visitor.goOnline();
  await expect(message(visitor, "While you were in it.")).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("Half a thou");
});

test("a message that cannot be taken as it is says why", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/status of 400/); // unless it goes over the live connection
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);

  await sendMessage(visitor, mouse, "Turned \u202E about.");

  await expect(page.getByText(t.fields.invalid_characters)).toBeVisible();
  await expect(page.getByText(t.chat.notSent)).toBeVisible();
});

test("a history of 2,000 messages is read back to its beginning, and what is being read stays where it is to the pixel", async ({
  visit,
  mailbox,
  server,
}) => {
  test.setTimeout(240_000);
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const all = await fillConversation(hanako, taro, 2_000);
  const visitor = await visit({ language: "ja", device: "phone" });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, all.at(-1)!)).toBeInViewport();
  const log = visitor.page.getByRole("region", { name: visitor.t.chat.messages });

  for (let isFirst = true, count = 0; count < 2_000; isFirst = false) {
    // The first of those that are there, looked at before the page before it arrives, and after.
    const { before, after } = await log.evaluate(async (element) => {
      const first = element.querySelector("li.bubble")!;
      element.scrollTo({ top: -element.scrollHeight });
      const top = first.getBoundingClientRect().top;
      const count = element.querySelectorAll("li.bubble").length;
      while (element.querySelectorAll("li.bubble").length === count)
        await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(done));
      return { before: top, after: first.getBoundingClientRect().top };
    });
    // Where the line that says that more is loading stood, there are messages now.
    if (isFirst) expect(before).toBeGreaterThan(0);
    expect(Math.abs(after - before)).toBeLessThanOrEqual(1);
    count = (await messageTexts(visitor)).length;
  }
  expect(await messageTexts(visitor)).toEqual(all);

  const middle = message(visitor, all[1_000]!);
  await middle.scrollIntoViewIfNeeded();
  const { y } = (await middle.boundingBox())!;
  await say(taro, hanako, "Far below.");
  await expect(visitor.page.getByRole("button", { name: visitor.t.chat.newBelow })).toBeVisible();
  expect(Math.abs((await middle.boundingBox())!.y - y)).toBeLessThanOrEqual(1);
  await visitor.page.getByRole("button", { name: visitor.t.chat.newBelow }).click();
  await expect(message(visitor, "Far below.")).toBeInViewport();
  await expect(visitor.page.getByRole("button", { name: visitor.t.chat.newBelow })).toBeHidden();
});

test("what tells of new messages can be pressed where a veiled picture lies behind it", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const picture = new Uint8Array(drawPicture([30, 80, 60], [230, 200, 90]));
  for (let i = 0; i < 8; i++) {
    const file = new File([picture], "picture.png", { type: "image/png" });
    await taro.ask(sendDm, { receiverId: hanako.userId, file });
  }
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByRole("button", { name: t.chat.tapToView })).toHaveCount(8);
  const log = page.getByRole("region", { name: t.chat.messages });
  await log.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await say(taro, hanako, "Far below.");

  await page.getByRole("button", { name: t.chat.newBelow }).click();

  await expect(message(visitor, "Far below.")).toBeInViewport();
  await expect(page.getByRole("button", { name: t.chat.tapToView })).toHaveCount(8);
});

test("new matches keep out of each other's place however they are called, and a long list within its panel", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const names = [
    "Bartholomew Featherstonehaugh",
    "早乙女・ヴィクトリア・花子",
    "Jo",
    "Featherstonehaugh".repeat(2),
  ];
  const others = await Promise.all(
    [...names, ...names].map((username, i) =>
      signUp(server.url, mailbox, personOf(`${taro.userId}-${i}`, { username, sex: "male" })),
    ),
  );
  for (const other of others) {
    await other.ask(likeUser, { likedId: hanako.userId });
    await hanako.ask(likeUser, { likedId: other.userId });
  }
  for (const friend of [taro, ...others.slice(4)]) await say(friend, hanako, "Good evening.");
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Good evening.")).toBeVisible();

  const matches = page.getByRole("region", { name: t.messages.newMatches }).getByRole("link");
  await expect(matches).toHaveCount(4);
  const edges = await matches.evaluateAll((links) =>
    links.flatMap((link) => {
      const boxes = [...link.querySelectorAll("*")].map((element) => element.getBoundingClientRect());
      return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
    }),
  );
  expect(edges).toEqual(edges.toSorted((one, other) => one - other));
  await page.setViewportSize({ width: 1280, height: 680 });
  await expect(page.getByRole("contentinfo")).toBeInViewport({ ratio: 1 });
});

test("where there is nothing to read, there is a way on", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const jiro = await signUp(server.url, mailbox, personOf(`${taro.userId}-alone`));
  const visitor = await visit({ language: "zh-hans", device: "phone" });
  const { page, t, context } = visitor;
  visitor.allowError(/status of (404|500)/);
  await context.route("**/dm/api/dm?**", (route) =>
    route.fulfill({ status: 500, json: { code: "error", error_message: "Error" } }),
  );
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByRole("heading", { name: t.chat.failedToLoad })).toBeVisible();
  const { y, height } = (await page.getByRole("button", { name: t.chat.send }).boundingBox())!;
  expect(y + height).toBeGreaterThan(800); // the end of its page
  await context.unrouteAll();
  await page.getByRole("button", { name: t.chat.again }).click();
  await expect(page.getByText(t.chat.sayHello)).toBeVisible();

  await visitor.open(`/dm/${jiro.userId}-nobody`);
  await page.getByRole("link", { name: t.chat.toList }).click();
  await expect(page.getByRole("link", { name: "Taro" })).toBeVisible();

  await openAsMember(visitor, jiro, "/dm");
  await page.getByRole("link", { name: t.messages.seeCard }).click();
  await expect(page.getByRole("dialog", { name: t.location.title })).toBeVisible();
});

test("a friend's name and what one writes can be read on the narrowest telephone, with twice the text too", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const [other] = await Promise.all([
    signUp(server.url, mailbox, personOf(`${taro.userId}-long`, { username: "Featherstonehaugh".repeat(2) })),
    say(taro, hanako, "Good evening."),
  ]);
  await other.ask(likeUser, { likedId: hanako.userId });
  await hanako.ask(likeUser, { likedId: other.userId });
  await say(other, hanako, "Good evening.");
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await page.setViewportSize({ width: 320, height: 640 });
  await openAsMember(visitor, hanako, "/dm");
  const widthOf = async (target: Locator) => (await target.boundingBox())!.width;
  const rows = page.getByRole("link", { name: "Good evening." });
  await expect(rows).toHaveCount(2);
  const heights = await rows.evaluateAll((links) => links.map((link) => link.clientHeight));
  expect(heights[0]).toBe(heights[1]); // a name takes one line
  await visitor.open(`/dm/${other.userId}`);
  const name = page.getByRole("heading", { level: 1 });
  const field = page.getByRole("textbox", { name: t.chat.write });
  await expect(message(visitor, "Good evening.")).toBeVisible();

  expect(await widthOf(name)).toBeGreaterThan(90);
  const backToNormal = await enlargeText(visitor);

  expect(await widthOf(name)).toBeGreaterThan(150);
  expect(await widthOf(field)).toBeGreaterThan(250);
  await page.getByRole("button", { name: t.chat.options }).press("Enter");
  await expect(page.getByRole("button", { name: t.chat.reportMessage })).toBeInViewport({ ratio: 0.5 });
  await field.fill("Good evening.\n".repeat(9));
  const buffer = drawPicture([30, 80, 60], [230, 200, 90]);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: t.chat.attach }).click();
  await (await choosing).setFiles({ name: "picture.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("button", { name: t.chat.removeImage })).toBeInViewport();
  await expect(page.getByRole("button", { name: t.chat.send })).toBeInViewport({ ratio: 1 });
  await backToNormal();
  await page.setViewportSize({ width: 740, height: 360 });
  await expect(page.getByRole("button", { name: t.chat.send })).toBeInViewport({ ratio: 1 });
});

test("Esc closes what can be done with a message", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  for (let i = 0; i < 12; i++) await say(taro, hanako, `Message ${i}`);
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Message 11")).toBeVisible();
  const options = page.getByRole("button", { name: t.chat.options }).last();

  await keyboard.press(options);
  const report = page.getByRole("button", { name: t.chat.reportMessage });
  await expect(report).toBeInViewport({ ratio: 1 });
  const { x } = (await options.boundingBox())!;
  const { x: start, width } = (await message(visitor, "Message 11").boundingBox())!;
  expect(x - start - width).toBeLessThan(10); // it stays beside its message
  await page.keyboard.press("Tab");
  await expect(report).toBeFocused();
  await page.keyboard.press("Escape");

  await expect(report).toBeHidden();
  await expect(options).toBeFocused();
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeHidden();
});

test("a dot in the menu says on every screen that something is new, until it was looked at on any device", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const phone = await visit({ language: "ja", device: "phone" });
  const desktop = await visit({ language: "zh-hans" });
  const lists: string[] = [];
  desktop.page.on("request", (request) => request.url().endsWith("/last-dms") && lists.push(request.url()));
  const menu = ({ page, t }: Visitor, entry: "settings" | "messages") =>
    page.getByRole("navigation", { name: t.shell.menu }).getByRole("link", { name: t.shell[entry] });
  const saysNew = async (visitors: Visitor[]) => {
    for (const visitor of visitors) {
      const { t } = visitor;
      await expect(menu(visitor, "messages")).toHaveAccessibleName(
        `${t.shell.messages} ${t.shell.somethingNew}`,
      );
    }
  };
  const saysNothing = async (visitors: Visitor[]) => {
    for (const visitor of visitors)
      await expect(menu(visitor, "messages")).toHaveAccessibleName(visitor.t.shell.messages);
  };
  const outside = async ({ page }: Visitor) => [
    await page.title(),
    await page.locator("link[rel~=icon]").evaluateAll((icons) => icons.map((icon) => icon.outerHTML).join()),
  ];

  // The match is new on both, until she has looked at it on one.
  await openAsMember(phone, hanako, "/setting");
  await openAsMember(desktop, hanako, "/setting/filter");
  await saysNew([phone, desktop]);
  await menu(phone, "messages").click();
  await expect(phone.page.getByRole("link", { name: "Taro" })).toContainText(phone.t.messages.unread);
  await phone.page.getByRole("link", { name: "Taro" }).click();
  await expect(phone.page.getByText(phone.t.chat.sayHello)).toBeVisible();
  await saysNothing([desktop]);
  await phone.open("/setting");
  await menu(phone, "settings").click();

  const before = await outside(desktop);
  await say(taro, hanako, "お元気ですか");
  await saysNew([phone, desktop]);
  expect(await outside(desktop)).toEqual(before);
  const asked = lists.length;
  await menu(desktop, "settings").click();
  await expect(desktop.page.getByRole("heading", { level: 1 })).toHaveText(desktop.t.settings.title);
  await saysNew([desktop]);
  expect(lists).toHaveLength(asked);

  await menu(phone, "messages").click();
  await phone.page.getByRole("link", { name: "お元気ですか" }).click();
  await expect(message(phone, "お元気ですか")).toBeVisible();
  await saysNothing([desktop]);
  await say(taro, hanako, "また");
  await expect(message(phone, "また")).toBeVisible();
  await phone.page.getByRole("link", { name: phone.t.chat.toList }).click();
  await saysNothing([phone, desktop]);
});

test("who turns read receipts off takes them from both sides at once, and back again", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const hers = await visit({ language: "zh-hant" });
  const his = await visit({ language: "ja" });
  const read = ({ page, t }: Visitor) => page.getByRole("log").getByText(t.chat.read, { exact: true });
  await openAsMember(his, taro, `/dm/${hanako.userId}`);
  await openAsMember(hers, hanako, `/dm/${taro.userId}`);
  await sendMessage(hers, mouse, "こんばんは");
  await expect(message(his, "こんばんは")).toBeVisible();
  await his.page.bringToFront();
  await sendMessage(his, mouse, "晚安");
  await expect(message(hers, "晚安")).toBeVisible();
  for (const visitor of [hers, his]) await expect(read(visitor)).toBeVisible();
  const time = hers.page.getByRole("log").getByRole("time").first();
  expect((await time.boundingBox())!.y).toBe((await read(hers).boundingBox())!.y);

  const settings = await hers.context.newPage();
  await settings.goto(hers.url("/setting/privacy"));
  const choice = settings.getByRole("switch", { name: hers.t.privacy.showReading });
  await expect(choice).toBeChecked();
  await choice.press("Space");
  for (const visitor of [hers, his]) await expect(read(visitor)).toBeHidden();
  await settings.reload();
  await expect(choice).not.toBeChecked();

  await choice.click();
  for (const visitor of [hers, his]) await expect(read(visitor)).toBeVisible();
});

test("three devices, two languages: what is unread, read and taken back shows on all of them at once", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const phone = await visit({ language: "ja", device: "phone" });
  const desktop = await visit({ language: "ja" });
  const his = await visit({ language: "zh-hant" });
  await openAsMember(his, taro, "/dm");
  for (const device of [phone, desktop]) {
    await openAsMember(device, hanako, `/dm/${taro.userId}`);
    await expect(device.page.getByText(device.t.chat.sayHello)).toBeVisible();
  }
  const read = ({ page, t }: Visitor) => page.getByRole("log").getByText(t.chat.read, { exact: true });

  await sendMessage(phone, mouse, "届きますか");
  await expect(message(desktop, "届きますか")).toBeVisible();
  const thread = his.page.getByRole("link", { name: "届きますか" });
  await expect(thread).toContainText(his.t.messages.unread);
  for (const device of [phone, desktop]) await expect(read(device)).toBeHidden();

  await thread.click();
  for (const device of [phone, desktop]) await expect(read(device)).toBeVisible();
  await expect(his.page.getByText(his.t.messages.unread)).toBeHidden();

  // A page that is hidden reads nothing, whatever arrives.
  await his.page.getByRole("button", { name: his.t.shell.hide }).click();
  await sendMessage(phone, mouse, "言いすぎました");
  await expect(message(desktop, "言いすぎました")).toBeVisible();
  await expect.poll(async () => (await taro.ask(getLastDms, {})).unread).toEqual([hanako.userId]);
  await expect(
    desktop.page.getByRole("log").getByRole("listitem").filter({ hasText: "届きますか" }),
  ).toContainText(desktop.t.chat.read);
  await his.page.getByRole("button", { name: his.t.privacyScreen.back }).click();
  await expect(
    desktop.page.getByRole("log").getByRole("listitem").filter({ hasText: "言いすぎました" }),
  ).toContainText(desktop.t.chat.read);

  // By keys alone, from the last message; the focus does not get lost with it.
  await expect(message(his, "言いすぎました")).toBeVisible();
  await keyboard.press(desktop.page.getByRole("button", { name: desktop.t.chat.options }).last());
  await keyboard.press(desktop.page.getByRole("button", { name: desktop.t.chat.unsend }));
  await keyboard.press(desktop.page.getByRole("dialog").getByRole("button", { name: desktop.t.chat.unsend }));
  for (const device of [phone, desktop, his]) await expect(message(device, "言いすぎました")).toBeHidden();
  await expect(desktop.page.getByRole("region", { name: desktop.t.chat.messages })).toBeFocused();
  await expect(his.page.getByRole("link", { name: "言いすぎました" })).toBeHidden();
  await expect(thread).toBeVisible();

  // By a press held down.
  await message(phone, "届きますか").click({ button: "right" });
  await phone.page.getByRole("button", { name: phone.t.chat.unsend }).click();
  await phone.page.getByRole("dialog").getByRole("button", { name: phone.t.chat.unsend }).click();
  for (const device of [phone, desktop, his])
    await expect(device.page.getByText(device.t.chat.sayHello)).toBeVisible();
});

test("what happens while a device is in a tunnel and the server starts anew is all there afterwards", async ({
  visit,
  mailbox,
  server,
}) => {
  test.setTimeout(120_000);
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const jiro = await signUp(
    server.url,
    mailbox,
    personOf(`chat-jiro-${Date.now().toString(36)}`, { sex: "male" }),
  );
  const { dm } = await say(taro, hanako, "Forget this one.");
  const visitor = await visit({ language: "zh-hans" });
  const { page, t } = visitor;
  const hasCaughtUp = watchCatchingUp(visitor);
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Forget this one.")).toBeVisible();
  // Who is a match already is known: one made from here on is new.
  await expect.poll(hasCaughtUp).toBe(true);

  await visitor.goOffline();
  await sendMessage(visitor, mouse, "隧道里写的");
  await expect(page.getByText(t.chat.waiting)).toBeVisible();
  await taro.ask(unsendDm, { friendId: hanako.userId, dmId: dm.id });
  await say(taro, hanako, "Instead of it.");
  await hanako.ask(likeUser, { likedId: jiro.userId });
  await jiro.ask(likeUser, { likedId: hanako.userId });
  await server.restart();
  await visitor.goOnline();

  await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible({ timeout: 45_000 });
  await page.getByRole("dialog").getByRole("button", { name: t.matchNotice.keepLooking }).click();
  await expect.poll(() => messageTexts(visitor)).toEqual(["Instead of it.", "隧道里写的"]);
  await expect(page.getByText(t.chat.waiting)).toBeHidden();

  visitor.allowError(/net::ERR_|WebSocket|status of 50/);
  await server.restart();
  await say(taro, hanako, "After the restart.");
  await expect(message(visitor, "After the restart.")).toBeVisible({ timeout: 45_000 });
  const { dms } = await taro.ask(getDms, { friendId: hanako.userId });
  expect(dms.map(({ description }) => description)).toEqual([
    "Instead of it.",
    "隧道里写的",
    "After the restart.",
  ]);
});

test("on a slow line messages show at once and keep their order; one too many is kept, and so is what is not sent yet", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  visitor.allowError(/status of 429/);
  let isTooMany = false;
  const arrive = Promise.withResolvers<void>();
  await interceptMessages(visitor, async () => {
    await arrive.promise;
    const json = { code: "too_many_requests", error_message: t.errors.too_many_requests };
    return isTooMany ? { status: 429, json } : "goes on";
  });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByText(t.chat.sayHello)).toBeVisible();

  for (const text of ["one", "two", "three"]) await sendMessage(visitor, mouse, text);
  await expect(page.getByText(t.chat.sending)).toHaveCount(3);
  arrive.resolve();
  await expect(page.getByText(t.chat.sending)).toHaveCount(0);
  const { dms } = await taro.ask(getDms, { friendId: hanako.userId });
  expect(dms.map(({ description }) => description)).toEqual(["one", "two", "three"]);

  isTooMany = true;
  await sendMessage(visitor, mouse, "one too many");
  await expect(page.getByText(t.chat.notSent)).toBeVisible();
  isTooMany = false;
  await page.getByRole("button", { name: t.chat.retry }).click();
  await expect(page.getByText(t.chat.notSent)).toBeHidden();
  expect(await messageTexts(visitor)).toEqual(["one", "two", "three", "one too many"]);

  const area = page.getByRole("textbox", { name: t.chat.write });
  await area.fill("Half a thou");
  await page.reload();
  await expect(area).toHaveValue("Half a thou");
});

for (const fate of ["gets lost", "is not answered"] as const) {
  test(`a message that ${fate} over the live connection arrives within seconds, once, and before the next one`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const [hanako, taro] = await matchedPair(server.url, mailbox);
    const visitor = await visit({ language: "zh-hant" });
    const { page, t } = visitor;
    const ways: string[] = [];
    let isDead = false;
    await interceptMessages(visitor, (way) => {
      ways.push(way);
      // The connection after it lives.
      if (way === "post") isDead = false;
      return isDead ? fate : "goes on";
    });
    await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
    await expect(page.getByText(t.chat.sayHello)).toBeVisible();
    await say(taro, hanako, "你好");
    await expect(message(visitor, "你好")).toBeVisible();
    await sendMessage(visitor, mouse, "晚安");
    await expect(page.getByText(t.chat.sending)).toBeHidden();
    expect(ways).toEqual(["live"]);

    isDead = true;
    await sendMessage(visitor, mouse, "聽得見嗎");
    await sendMessage(visitor, mouse, "喂");

    await expect(page.getByText(t.chat.sending)).toHaveCount(2);
    await expect(page.getByText(t.chat.sending)).toHaveCount(0);
    expect(ways.slice(0, 3)).toEqual(["live", "live", "post"]);
    expect(await messageTexts(visitor)).toEqual(["你好", "晚安", "聽得見嗎", "喂"]);
    const { dms } = await taro.ask(getDms, { friendId: hanako.userId });
    expect(dms.map(({ description }) => description)).toEqual(["你好", "晚安", "聽得見嗎", "喂"]);
  });
}

for (const [language, parts, whole] of [
  ["ja", ["よ", "よる", "夜"], "夜の散歩"],
  ["zh-hans", ["w", "wan", "晚"], "晚上散步"],
] as const) {
  test(`Enter that ends a composition sends nothing, the next one does (${language})`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const [hanako, taro] = await matchedPair(server.url, mailbox);
    const visitor = await visit({ language });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
    await expect(page.getByText(t.chat.sayHello)).toBeVisible();
    const area = page.getByRole("textbox", { name: t.chat.write });
    const cdp = await visitor.context.newCDPSession(page);
    await area.focus();

    for (const text of parts)
      await cdp.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await page.keyboard.press("Enter"); // takes what is proposed
    await cdp.send("Input.imeSetComposition", { text: whole, selectionStart: 4, selectionEnd: 4 });
    // Some input methods say so by the code of the key alone, when the composition has just ended.
    await cdp.send("Input.insertText", { text: whole });
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
    await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
    await page.keyboard.press("Shift+Enter");
    await expect(page.getByText(t.chat.sayHello)).toBeVisible();
    await expect(area).toHaveValue(new RegExp(`^${whole}\\n+$`));

    await page.keyboard.press("Enter");
    await expect(page.getByRole("log")).toContainText(whole);
    await expect(area).toHaveValue("");
  });
}

test("a block ends the conversation that the other side has open", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  await say(taro, hanako, "Will you answer?");
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 404/);
  await openAsMember(visitor, taro, `/dm/${hanako.userId}`);
  await expect(message(visitor, "Will you answer?")).toBeVisible();
  await page.getByRole("textbox", { name: t.chat.write }).fill("Hello?");

  await hanako.ask(blockUser, { userId: taro.userId });
  // The page may have noticed by itself.
  const send = page.getByRole("button", { name: t.chat.send });
  await send.click({ timeout: 2_000 }).catch(() => undefined);

  await expect(page.getByText(t.chat.closed).first()).toBeVisible();
  await expect(message(visitor, "Will you answer?")).toBeHidden();
  await visitor.open("/dm");
  await expect(page.getByText(t.messages.empty)).toBeVisible();
});

test("a new match and its first message appear in the list without a reload", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/dm");
  await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeVisible();

  await say(taro, hanako, "第一句話");

  await expect(page.getByRole("link", { name: "第一句話" })).toBeVisible();
  await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeHidden();
});

test("what is sent on one device shows on the other", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await matchedPair(server.url, mailbox);
  const [phone, desktop] = [await visit({ device: "phone" }), await visit()];
  for (const device of [phone, desktop]) {
    await openAsMember(device, hanako, `/dm/${taro.userId}`);
    await expect(device.page.getByText(device.t.chat.sayHello)).toBeVisible();
  }

  await sendMessage(desktop, mouse, "From the desk.");
  await expect(message(phone, "From the desk.")).toBeVisible();
  await expect(desktop.page.getByRole("link", { name: "From the desk." })).toBeVisible();
  await sendMessage(phone, mouse, "From the sofa.");

  await expect(message(desktop, "From the sofa.")).toBeVisible();
  await expect.poll(() => messageTexts(phone)).toEqual(["From the desk.", "From the sofa."]);
});
