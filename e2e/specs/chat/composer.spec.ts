import { message } from "../../actions/chat-actions.ts";
import { keyboard } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, fakeServices, test } from "../../fixtures/test.ts";

test.use(fakeServices);

for (const [language, parts, whole] of [
  ["ja", ["よ", "よる", "夜"], "夜の散歩"],
  ["zh-hans", ["w", "wan", "晚"], "晚上散步"],
] as const) {
  test(`sends nothing when Enter ends a composition, and sends at the next Enter (${language})`, async ({
    visit,
    member,
  }) => {
    const [hanako, taro] = await matchedPair(member);
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
    await page.keyboard.press("Enter"); // accepts the proposal
    await cdp.send("Input.imeSetComposition", { text: whole, selectionStart: 4, selectionEnd: 4 });
    // Some input methods report the end of a composition only by key code 229.
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

test("closes the options of a message when Esc is pressed", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  for (let i = 0; i < 12; i++) await sendText(taro, hanako, `Message ${i}`);
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
  expect(x - start - width).toBeLessThan(10); // beside its message
  await page.keyboard.press("Tab");
  await expect(report).toBeFocused();
  await page.keyboard.press("Escape");

  await expect(report).toBeHidden();
  await expect(options).toBeFocused();
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeHidden();
});
