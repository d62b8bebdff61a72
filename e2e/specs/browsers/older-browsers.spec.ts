import { getDms } from "@alcove/contract/messaging";
import { message, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { removeNewerFunctions } from "../../actions/limited-browsers.ts";
import { match, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("shows links, sends text and opens a profile in the oldest supported browsers", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("hanako-older-browser", { at: place, description: "See [my page](https://example.com/x)." }),
    member("taro-older-browser", { at: place, sex: "male" }),
  ]);
  await match(hanako, taro);
  await sendText(hanako, taro, "look: https://example.com/page");
  const visitor = await visit();
  const { page, context, open, t } = visitor;
  await removeNewerFunctions(context);

  await openAsMember(visitor, taro, `/dm/${hanako.userId}`);
  await expect(page.getByRole("log").getByText("https://example.com/page")).toBeVisible();
  await sendMessage(visitor, mouse, "sent without newer functions");
  await expect(message(visitor, "sent without newer functions")).toBeVisible();
  await expect(page.getByText(t.chat.sending)).toHaveCount(0);
  await expect
    .poll(async () => (await hanako.call(getDms, { friendId: taro.userId })).dms.map((dm) => dm.description))
    .toContain("sent without newer functions");
  await open(`/home/${hanako.userId}`);
  await expect(page.getByText("my page")).toBeVisible();
});

for (const [language, path] of [
  ["en", "/login"],
  ["ja", "/sign-up"],
  ["zh-hant", "/dm"],
] as const)
  test(`shows one notice and runs no script in a browser that is too old: ${language}${path}`, async ({
    visit,
  }) => {
    const visitor = await visit({ language });
    const { page, context, t } = visitor;
    visitor.allowError(/Content Security Policy/);
    await context.addInitScript(() => Reflect.deleteProperty(Array.prototype, "findLast"));

    await page.goto(visitor.url(path));

    const notice = page.getByRole("alert");
    await expect(notice).toHaveCount(1);
    const [start = ""] = t.shell.outdatedBrowser.split("{browsers}");
    await expect(notice).toContainText(`${start}Chrome 109, Edge 109, Firefox 115, Safari 16.4`);
  });
