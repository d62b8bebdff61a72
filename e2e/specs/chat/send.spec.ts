import { getDms } from "@alcove/contract/messaging";
import {
  interceptMessages,
  message,
  messageTexts,
  sendMessage,
  sendPicture,
} from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("shows messages at once in order on a slow connection, and keeps rejected messages and a draft", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  visitor.allowError(/status of 4(29|00)/);
  let [isTooMany, isInvalid] = [false, false];
  const gate = Promise.withResolvers<void>();
  await interceptMessages(visitor, async () => {
    await gate.promise;
    const json = { code: "too_many_requests", error_message: t.errors.too_many_requests };
    const invalid = { code: "invalid_input", error_message: t.fields.too_long };
    if (isInvalid) return { status: 400, json: invalid };
    return isTooMany ? { status: 429, json } : "delivered";
  });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByText(t.chat.openersHint)).toBeVisible();

  for (const text of ["one", "two", "three"]) await sendMessage(visitor, mouse, text);
  await expect(page.getByText(t.chat.sending)).toHaveCount(3);
  gate.resolve();
  await expect(page.getByText(t.chat.sending)).toHaveCount(0);
  const { dms } = await taro.call(getDms, { friendId: hanako.userId });
  expect(dms.map(({ description }) => description)).toEqual(["one", "two", "three"]);

  isTooMany = true;
  await sendMessage(visitor, mouse, "one too many");
  await expect(page.getByText(t.chat.notSent)).toBeVisible();
  isTooMany = false;
  await page.getByRole("button", { name: t.chat.retry }).click();
  await expect(page.getByText(t.chat.notSent)).toBeHidden();
  await expect.poll(() => messageTexts(visitor)).toEqual(["one", "two", "three", "one too many"]);

  isInvalid = true;
  await sendMessage(visitor, mouse, "rejected for good");
  await expect(page.getByText(t.fields.too_long)).toBeVisible();
  await expect(page.getByText(t.chat.notSent)).toBeVisible();
  const area = page.getByRole("textbox", { name: t.chat.write });
  await area.fill("Half a thou");
  await page.reload();
  await expect(area).toHaveValue("Half a thou");
});

for (const outcome of ["lost", "unanswered"] as const) {
  test(`delivers a message within seconds, once and in order, when it is ${outcome}`, async ({
    visit,
    member,
  }) => {
    const [hanako, taro] = await matchedPair(member);
    const visitor = await visit({ language: "zh-hant" });
    const { page, t } = visitor;
    visitor.allowError(/net::ERR_FAILED/);
    let isDead = false;
    await interceptMessages(visitor, () => {
      const next = isDead ? outcome : "delivered";
      isDead = false;
      return next;
    });
    await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
    await expect(page.getByText(t.chat.openersHint)).toBeVisible();
    await sendText(taro, hanako, "你好");
    await expect(message(visitor, "你好")).toBeVisible();
    await sendMessage(visitor, mouse, "晚安");
    await expect(page.getByText(t.chat.sending)).toBeHidden();

    isDead = true;
    await sendMessage(visitor, mouse, "聽得見嗎");
    await sendMessage(visitor, mouse, "喂");

    await expect.poll(async () => (await taro.call(getDms, { friendId: hanako.userId })).dms).toHaveLength(4);
    await expect(page.getByText(t.chat.sending)).toHaveCount(0);
    await expect.poll(() => messageTexts(visitor)).toEqual(["你好", "晚安", "聽得見嗎", "喂"]);
    const { dms } = await taro.call(getDms, { friendId: hanako.userId });
    expect(dms.map(({ description }) => description)).toEqual(["你好", "晚安", "聽得見嗎", "喂"]);
  });
}

test("shows the progress of an image on a slow line, and sends nothing when it is cancelled", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByText(t.chat.openersHint)).toBeVisible();
  const cdp = await visitor.context.newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await cdp.send("Network.emulateNetworkConditions", slow);
  const attach = page.locator("input[type=file]");
  await attach.setInputFiles({ name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(3_000_000) });
  await page.getByRole("button", { name: t.chat.send, exact: true }).click();

  const progress = page.getByRole("progressbar", { name: t.chat.sendingImage });
  await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
  await page.getByRole("button", { name: t.chat.cancelImage }).click();
  await expect(progress).toBeHidden();
  await expect(page.getByRole("region", { name: t.chat.messages })).toBeFocused();

  await cdp.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await sendPicture(visitor, mouse);
  await expect(page.getByRole("log").getByRole("button", { name: t.chat.enlarge })).toBeVisible();
  expect((await taro.call(getDms, { friendId: hanako.userId })).dms).toHaveLength(1);
});
