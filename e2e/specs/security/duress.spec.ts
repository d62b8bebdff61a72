import type { Page } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { matchedPair } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

const [PIN, SECOND_PIN] = ["2468", "1357"];

async function setBothPins({ page, t, open }: Visitor): Promise<void> {
  await open("/setting/pin");
  await page.getByLabel(t.privacy.pin, { exact: true }).fill(PIN);
  await page.getByLabel(t.privacy.pinAgain).fill(PIN);
  await page.getByRole("switch", { name: t.privacy.hasSecondPin }).check();
  const second = page.getByLabel(t.privacy.secondPin, { exact: true });
  const set = page.getByRole("button", { name: t.privacy.setPin });
  for (const wrong of [PIN, "13579"]) {
    await second.fill(wrong);
    await set.click();
    await expect(second).toBeFocused();
    await expect(second).toHaveAttribute("aria-invalid", "true");
  }
  await second.fill(SECOND_PIN);
  await page.getByLabel(t.privacy.secondPinAgain).fill(SECOND_PIN);
  await set.click();
  await expect(page.getByText(t.privacy.pinSet)).toBeVisible();
}

/** Everything that a page of this origin can find on the device. */
async function readDevice(page: Page) {
  return page.evaluate(async () => ({
    browser: Object.fromEntries(Object.entries(localStorage)),
    tab: Object.fromEntries(Object.entries(sessionStorage)),
    databases: (await indexedDB.databases()).length,
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    cookie: document.cookie,
  }));
}

const EMPTY = { browser: {}, databases: 0, caches: [], workers: 0, cookie: "" };

async function expectOnlyNotes(page: Page, { t, url }: Visitor): Promise<void> {
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
  await expect(page).toHaveTitle(t.privacyScreen.title);
  await expect(page).toHaveURL(url(""));
  await pressEscapeTwice({ page });
  await pressEscapeTwice({ page });
  await page.getByRole("searchbox", { name: t.privacyScreen.search }).fill(PIN);
  await expect(page.getByText(t.privacyScreen.nothingFound)).toBeVisible();
  await expect(page.getByRole("main")).toHaveCount(1);
  await page.getByRole("searchbox", { name: t.privacyScreen.search }).fill("");
}

test("leaves only the notes after the second PIN, in all tabs, and ends the session", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit({ hasWorker: true });
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await setBothPins(visitor);
  const other = await context.newPage();
  await other.goto(visitor.url(`/dm/${taro.userId}`));
  await other.getByLabel(t.privacy.pin).fill(PIN);
  await other.getByRole("textbox", { name: t.chat.write }).fill("half a thought");
  await page.evaluate(() => {
    const request = indexedDB.open("of a script");
    request.onsuccess = () => request.result.close();
    document.cookie = "language=en; path=/";
  });
  await expect.poll(async () => (await readDevice(page)).caches).not.toEqual([]);

  await page.getByRole("button", { name: t.privacy.removePin }).click();
  const sheet = page.getByRole("dialog", { name: t.privacy.removePin });
  await sheet.getByLabel(t.privacy.pin).fill(SECOND_PIN);
  await sheet.getByRole("button", { name: t.privacy.removePin }).click();

  for (const tab of [page, other]) {
    await expectOnlyNotes(tab, visitor);
    await expect.poll(async () => readDevice(tab)).toEqual({ ...EMPTY, tab: { notes: "" } });
  }
  await expect(hanako.call(getOwnUser, {})).rejects.toMatchObject({ status: 401 });
  await page.goto(visitor.url("/login"));
  await expectOnlyNotes(page, visitor);
  await other.reload();
  await expectOnlyNotes(other, visitor);
  expect(await readDevice(other)).toEqual({ ...EMPTY, tab: { notes: "" } });
});

test("shows the notes without a connection, and ends the session at the next one", async ({
  visit,
  member,
}) => {
  const hanako = await member("duress-hanako");
  const visitor = await visit({ language: "ja", device: "phone", hasWorker: true });
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await setBothPins(visitor);
  await expect.poll(async () => (await readDevice(page)).caches).not.toEqual([]);
  await page.getByRole("button", { name: t.shell.hide }).click();
  await visitor.goOffline();

  // As a Japanese keyboard writes it.
  const wide = SECOND_PIN.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  await page.getByRole("searchbox", { name: t.privacyScreen.search }).fill(wide);

  await expectOnlyNotes(page, visitor);
  await expect
    .poll(async () => readDevice(page))
    .toEqual({ ...EMPTY, tab: { notes: expect.stringMatching(/./) } });
  await expect(hanako.call(getOwnUser, {})).resolves.toBeDefined();
  await visitor.goOnline();

  await expect
    .poll(async () => readDevice(page), { timeout: 30_000 })
    .toEqual({ ...EMPTY, tab: { notes: "" } });
  await expect(hanako.call(getOwnUser, {})).rejects.toMatchObject({ status: 401 });
  await page.reload();
  await expectOnlyNotes(page, visitor);
  const fresh = await context.newPage();
  await fresh.goto(visitor.url(""));
  await expect(fresh.getByRole("link", { name: t.login.createAccount })).toBeVisible();
});
