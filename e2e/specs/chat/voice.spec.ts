import { chromium, type Browser, type Locator } from "@playwright/test";
import { getDms } from "@alcove/contract/messaging";
import { fullBrowser } from "@alcove/test-services/browsers";
import { matchedPair } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { expect, test as base } from "../../fixtures/test.ts";

/** A browser whose microphone beeps. The headless shell has none. */
const test = base.extend<{ beeping: Browser }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of needed fixtures from the pattern
  async beeping({}, use) {
    const args = [...fullBrowser.args!, "--use-fake-device-for-media-stream"];
    const browser = await chromium.launch({ ...fullBrowser, args });
    await use(browser);
    await browser.close();
  },
});

const position = (within: Locator, name: string) =>
  within.getByRole("slider", { name }).evaluate((slider: HTMLInputElement) => slider.valueAsNumber);

test("records, plays and sends a voice note, which the match plays, and explains a denied microphone", async ({
  visit,
  member,
  beeping,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit({ device: "phone", browser: beeping });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  const microphone = page.getByRole("button", { name: t.voice.record });

  await microphone.click();
  await expect(page.getByRole("dialog", { name: t.voice.off })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: t.location.switchedOn }).click();
  await visitor.context.grantPermissions(["microphone"]);

  await microphone.hover();
  await page.mouse.down();
  await expect(page.getByText(t.voice.release)).toBeVisible();
  await expect(page.getByText(/^0:(0[2-9]|[1-5]\d)$/)).toBeVisible();
  await page.mouse.up();
  const words = page.getByRole("textbox", { name: t.voice.inWords });
  await words.fill("I am at the station.");
  const composer = page.locator("form.composer");
  await composer.getByRole("button", { name: t.voice.play }).click();
  await expect(composer.getByText(t.voice.aloud)).toBeVisible();
  await composer.getByRole("button", { name: t.voice.play }).click();
  await expect.poll(() => position(composer, t.voice.position)).toBeGreaterThan(0);
  await page.getByRole("button", { name: t.voice.send }).click();

  const log = page.getByRole("log");
  await expect(log.getByText("I am at the station.")).toBeVisible();
  await expect(microphone).toBeFocused();
  await expect(log.getByText(t.chat.sending)).toHaveCount(0);
  const [dm] = (await taro.call(getDms, { friendId: hanako.userId })).dms;
  expect(dm).toMatchObject({ description: null, voice_text: "I am at the station." });
  expect(dm!.voice_seconds).toBeGreaterThan(1);
  expect(Math.max(...dm!.voice_peaks!)).toBe(15);

  // By the keyboard, from press to press.
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: t.voice.stop })).toBeFocused();
  await expect(composer.getByText(/^0:(0[1-9]|[1-5]\d)$/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(words).toBeVisible();
  await page.getByRole("button", { name: t.voice.discard }).click();
  await expect(microphone).toBeFocused();

  const other = await visit({ language: "ja" });
  await openAsMember(other, taro, "/dm");
  await expect(other.page.getByText(other.t.messages.voiceNote)).toBeVisible();
  await other.page.getByRole("link", { name: "Hanako" }).first().click();
  const note = other.page.getByRole("log");
  await note.getByRole("button", { name: other.t.voice.play }).click();
  await note.getByRole("button", { name: other.t.voice.play }).click();
  await expect.poll(() => position(note, other.t.voice.position)).toBeGreaterThan(0);
  await pressEscapeTwice(other);
  await expect(other.page.getByRole("heading", { name: other.t.privacyScreen.title })).toBeVisible();
  await pressEscapeTwice(other);
  await note.getByRole("button", { name: other.t.voice.play }).click();
  await expect(note.getByText(other.t.voice.aloud)).toBeVisible();
});
