import { getLastDms, saveReading } from "@alcove/contract/messaging";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { message, sendMessage } from "../../actions/chat-actions.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows a dot in the menu on every screen until any device has read the message", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const phone = await visit({ language: "ja", device: "phone" });
  const desktop = await visit({ language: "ja" });
  const lists: string[] = [];
  desktop.page.on("request", (request) => request.url().endsWith("/last-dms") && lists.push(request.url()));
  const menu = ({ page, t }: Visitor, entry: "settings" | "messages") =>
    page.getByRole("navigation", { name: t.shell.menu }).getByRole("link", { name: t.shell[entry] });
  const expectNew = async (visitors: Visitor[]) => {
    for (const visitor of visitors) {
      const { t } = visitor;
      await expect(menu(visitor, "messages")).toHaveAccessibleName(
        `${t.shell.messages} ${t.shell.somethingNew}`,
      );
    }
  };
  const expectNothingNew = async (visitors: Visitor[]) => {
    for (const visitor of visitors)
      await expect(menu(visitor, "messages")).toHaveAccessibleName(visitor.t.shell.messages);
  };
  const titleAndIcon = async ({ page }: Visitor) => [
    await page.title(),
    await page.locator("link[rel~=icon]").evaluateAll((icons) => icons.map((icon) => icon.outerHTML).join()),
  ];

  // The match is new on both devices until one of them has shown it.
  await openAsMember(phone, hanako, "/setting");
  await openAsMember(desktop, hanako, "/setting/filter");
  await expectNew([phone, desktop]);
  await menu(phone, "messages").click();
  await expect(phone.page.getByRole("link", { name: "Taro" })).toContainText(phone.t.messages.unread);
  await phone.page.getByRole("link", { name: "Taro" }).click();
  await expect(phone.page.getByText(phone.t.chat.openersHint)).toBeVisible();
  await expectNothingNew([desktop]);
  await phone.open("/setting");
  await menu(phone, "settings").click();

  const before = await titleAndIcon(desktop);
  await sendText(taro, hanako, "お元気ですか");
  await expectNew([phone, desktop]);
  expect(await titleAndIcon(desktop)).toEqual(before);
  const requestCount = lists.length;
  await menu(desktop, "settings").click();
  await expect(desktop.page.getByRole("heading", { level: 1 })).toHaveText(desktop.t.settings.profile);
  await expectNew([desktop]);
  expect(lists).toHaveLength(requestCount);

  await menu(phone, "messages").click();
  await phone.page.getByRole("link", { name: "お元気ですか" }).click();
  await expect(message(phone, "お元気ですか")).toBeVisible();
  await expectNothingNew([desktop]);
  await sendText(taro, hanako, "また");
  await expect(message(phone, "また")).toBeVisible();
  await phone.page.getByRole("link", { name: phone.t.chat.toList }).click();
  await expectNothingNew([phone, desktop]);
});

test("hides read receipts on both sides when one member turns them off, and shows them again", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
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
  await settings.goto(hers.url("/setting/reading"));
  const choice = settings.getByRole("switch", { name: hers.t.privacy.showReading });
  await expect(choice).toBeChecked();
  await choice.press("Space");
  for (const visitor of [hers, his]) await expect(read(visitor)).toBeHidden();
  await settings.reload();
  await expect(choice).not.toBeChecked();

  await choice.click();
  for (const visitor of [hers, his]) await expect(read(visitor)).toBeVisible();
});

test("shows the dots only while both members show typing, until the message comes", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const [hers, his] = [await visit(), await visit({ language: "ja", device: "phone" })];
  const dots = his.page.getByRole("img", { name: formatText(his.t.chat.typing, { name: "Hanako" }) });
  await hanako.call(saveReading, { shows_typing: true });
  await openAsMember(his, taro, "/setting/reading");
  const choice = his.page.getByRole("switch", { name: his.t.privacy.showTyping });
  await expect(choice).not.toBeChecked();
  await choice.press("Space");
  await expect(his.page.getByRole("status").getByText(his.t.settings.saved)).toBeVisible();
  await his.open(`/dm/${hanako.userId}`);
  await openAsMember(hers, hanako, `/dm/${taro.userId}`);

  const field = hers.page.getByRole("textbox", { name: hers.t.chat.write });
  // A sign is lost while the other chat is not connected; the next one follows after four seconds.
  await expect(async () => {
    await field.pressSequentially("…");
    await expect(dots).toBeVisible({ timeout: 500 });
  }).toPass();
  await checkAccessibility(his, "the dots of typing");
  await field.fill("Good evening");
  await hers.page.getByRole("button", { name: hers.t.chat.send }).click();

  await expect(message(his, "Good evening")).toBeVisible();
  await expect(dots).toBeHidden();
});

test("shows unread, read and unsent messages on three devices at once", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  const phone = await visit({ language: "ja", device: "phone" });
  const desktop = await visit({ language: "ja" });
  const his = await visit({ language: "zh-hant" });
  await openAsMember(his, taro, "/dm");
  for (const device of [phone, desktop]) {
    await openAsMember(device, hanako, `/dm/${taro.userId}`);
    await expect(device.page.getByText(device.t.chat.openersHint)).toBeVisible();
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

  // A hidden page reads nothing.
  await his.page.getByRole("button", { name: his.t.shell.hide }).click();
  await sendMessage(phone, mouse, "言いすぎました");
  await expect(message(desktop, "言いすぎました")).toBeVisible();
  await expect.poll(async () => (await taro.call(getLastDms, {})).unread).toEqual([hanako.userId]);
  await expect(
    desktop.page.getByRole("log").getByRole("listitem").filter({ hasText: "届きますか" }),
  ).toContainText(desktop.t.chat.read);
  await pressEscapeTwice(his);
  await expect(
    desktop.page.getByRole("log").getByRole("listitem").filter({ hasText: "言いすぎました" }),
  ).toContainText(desktop.t.chat.read);

  // By keyboard, from the last message. The focus moves to the list.
  await expect(message(his, "言いすぎました")).toBeVisible();
  await keyboard.press(desktop.page.getByRole("button", { name: desktop.t.chat.options }).last());
  await expect(desktop.page.getByRole("menuitem", { name: desktop.t.chat.reply })).toBeFocused();
  await desktop.page.keyboard.press("End");
  await expect(desktop.page.getByRole("menuitem", { name: desktop.t.chat.unsend })).toBeFocused();
  await desktop.page.keyboard.press("Enter");
  await keyboard.press(desktop.page.getByRole("dialog").getByRole("button", { name: desktop.t.chat.unsend }));
  for (const device of [phone, desktop, his]) await expect(message(device, "言いすぎました")).toBeHidden();
  await expect(desktop.page.getByRole("region", { name: desktop.t.chat.messages })).toBeFocused();
  await expect(his.page.getByRole("link", { name: "言いすぎました" })).toBeHidden();
  await expect(thread).toBeVisible();

  // By a long press.
  await message(phone, "届きますか").click({ button: "right" });
  await phone.page.getByRole("menuitem", { name: phone.t.chat.unsend }).click();
  await phone.page.getByRole("dialog").getByRole("button", { name: phone.t.chat.unsend }).click();
  for (const device of [phone, desktop])
    await expect(device.page.getByText(device.t.chat.openersHint)).toBeVisible();
  await expect(his.page.getByText(his.t.chat.takenBack)).toHaveCount(2);

  await his.page.getByRole("button", { name: his.t.chat.reportMessage }).last().click();
  const named = his.page.getByRole("combobox", { name: his.t.safety.message }).locator("option:checked");
  await expect(named).toContainText(his.t.safety.takenBackOf.split("{time}")[0]!);
});
