import type { Locator, Page } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { likeUser, passUser, saveLocation, showClearIcon } from "@alcove/contract/discovery";
import { saveFilter, saveProfile } from "@alcove/contract/profiles";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember } from "../../actions/open-as-member.ts";
import { keyboard } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Fixtures } from "../../fixtures/test.ts";

test.use({ freeCards: "100" });

// Each test has a corner of the world of its own.
const REYKJAVIK = [-21.9, 64.1] as const;
const AKUREYRI = [-18.1, 65.7] as const;
const LISBON = [-9.14, 38.72] as const;
const PORTO = [-8.61, 41.15] as const;
const HONOLULU = [-157.86, 21.3] as const;
const DARWIN = [130.84, -12.46] as const;
const MACAO = [113.54, 22.19] as const;
const VIENNA = [16.37, 48.2] as const;
const CAIRO = [31.24, 30.04] as const;

const MINUTE_MS = 60_000;

type Place = readonly [number, number];
const isAt = (member: SignedUp, place: Place) => member.ask(saveLocation, { location: place.join(",") });

/** Signs somebody up, by default a man, who is at a place. */
async function somebody(
  { server, mailbox }: Pick<Fixtures, "server" | "mailbox">,
  userId: string,
  at: Place,
  wish: Parameters<typeof personOf>[1] = {},
): Promise<SignedUp> {
  const member = await signUp(server.url, mailbox, personOf(userId, { sex: "male", ...wish }));
  await isAt(member, at);
  return member;
}

/** Moves a finger over the page, as the touch screen tells it. */
async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const at = (part: number) => [
    { x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part },
  ];
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= 10; step++)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / 10) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
}

async function pull(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 10 });
  await page.mouse.up();
}

/** The middle of something that is shown. */
async function middleOf(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = (await target.boundingBox())!;
  return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

for (const [device, language, here, there] of [
  ["phone", "ja", REYKJAVIK, AKUREYRI],
  ["desktop", "en", LISBON, PORTO],
] as const) {
  test(`who finds nobody is led to the one change that helps, and to the card it brings: ${device}`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const stage = { mailbox, server };
    const hanako = await somebody(stage, `empty-hanako-${device}`, here, { sex: "female" });
    const taro = await somebody(stage, `empty-taro-${device}`, there, { username: "Taro" });
    await hanako.ask(saveFilter, { search_sex: "male", search_max_range: 30, search_min_age: 30 });
    const visitor = await visit({ language, device, at: here });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "");
    await expect(page.getByRole("heading", { name: t.home.empty_nobody_in_range })).toBeVisible();
    await expect(page.getByText(t.home.wider_distance_text)).toBeVisible();
    await checkAccessibility(visitor, "the empty home with a suggestion");

    await keyboard.press(page.getByRole("link", { name: t.home.wider_distance }));
    const farthest = page.getByRole("slider", { name: t.profileForm.farthest });
    await expect(farthest).toHaveValue("500");
    await expect(page.getByText(t.settings.widened)).toBeVisible();
    await expect(page.getByRole("slider", { name: t.profileForm.youngest })).toHaveValue("30");
    await checkAccessibility(visitor, "the filter as suggested");
    expect((await hanako.ask(getOwnUser, {})).user.search_max_range).toBe(30);
    await keyboard.press(page.getByRole("button", { name: t.settings.save }));

    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
    await expect(page).toHaveURL(visitor.url(""));
    expect((await hanako.ask(getOwnUser, {})).user).toMatchObject({
      search_sex: "male",
      search_max_range: 500,
      search_min_age: 30,
    });
    await hanako.ask(passUser, { unlikedId: taro.userId });
    await page.reload();
    await expect(page.getByRole("heading", { name: t.home.empty_all_seen })).toBeVisible();
  });
}

test("a card is liked by a swipe to the right and passed by one to the left, with a finger and with a mouse", async ({
  visit,
  mailbox,
  server,
}) => {
  const stage = { mailbox, server };
  const hanako = await somebody(stage, "swipe-hanako", HONOLULU, { sex: "female", search_sex: "male" });
  for (const [device, swipe] of [
    ["phone", drag],
    ["desktop", pull],
  ] as const) {
    const names = ["A", "B", "C"].map((letter) => `${letter} ${device}`);
    for (const [i, username] of names.entries())
      await somebody(stage, `swipe-${device}-${i}`, HONOLULU, { username });
    const visitor = await visit({ device, at: HONOLULU });
    const { page } = visitor;
    await openAsMember(visitor, hanako, "");
    const card = page.getByRole("article");
    await expect(card).toBeVisible();
    const first = (await card.getAttribute("aria-label"))!;
    const shown = () => card.getAttribute("aria-label");
    const { x, y, width } = await middleOf(card.getByRole("img"));

    await swipe(page, [x, y], [x + 24, y + 4]);
    if (device === "phone") await swipe(page, [x, y], [x + 4, y + 60]);
    await page.evaluate(() => scrollTo(0, 0));
    for (const part of [card, card.getByRole("link").first()])
      await expect(part).toHaveCSS("transform", "none");
    expect(await shown()).toBe(first);
    const [liked] = await Promise.all([
      page.waitForRequest(/\/users\/api\/like$/),
      swipe(page, [x, y], [x + width * 0.5, y]),
    ]);
    expect(liked.postData()).toContain("swipe-");
    await expect.poll(shown).not.toBe(first);
    const second = (await shown())!;
    await Promise.all([
      page.waitForRequest(/\/users\/api\/unlike$/),
      swipe(page, [x, y], [x - width * 0.5, y]),
    ]);
    await expect.poll(shown).not.toBe(second);
    expect(names).toEqual(expect.arrayContaining([first, second]));
    await page.getByRole("button", { name: visitor.t.home.pass }).click();
    await expect(page.getByRole("heading", { name: visitor.t.home.empty_all_seen })).toBeVisible();
  }
});

test("text on a card is marked with the mouse, and no verdict is given by it", async ({
  visit,
  mailbox,
  server,
}) => {
  const stage = { mailbox, server };
  const hanako = await somebody(stage, "mark-hanako", MACAO, { sex: "female", search_sex: "male" });
  const description = "I fold paper herons and walk by the river.";
  await somebody(stage, "mark-taro", MACAO, { username: "Taro", description });
  const visitor = await visit({ at: MACAO });
  const { page } = visitor;
  await openAsMember(visitor, hanako, "");
  for (const width of [1280, 500]) {
    await page.setViewportSize({ width, height: 800 });
    const text = await middleOf(page.getByText(description));
    const [left, right] = [text.x - text.width / 2 + 2, text.x + text.width / 2 - 2];

    await pull(page, [left, text.y], [right, text.y]);

    expect(await page.evaluate(() => String(getSelection()))).toContain("paper herons");
    await page.reload();
    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
  }
});

test("the pictures of the next three cards are there before the cards are", async ({
  visit,
  mailbox,
  server,
}) => {
  const stage = { mailbox, server };
  const hanako = await somebody(stage, "ahead-hanako", DARWIN, { sex: "female", search_sex: "male" });
  for (let i = 0; i < 6; i++) {
    const icon = new File([new Uint8Array(drawPicture([i * 40, 80, 60], [230, 200, 90]))], "icon.png");
    await somebody(stage, `ahead-${i}`, DARWIN, { username: `Ahead ${i}`, icon });
  }
  const visitor = await visit({ at: DARWIN });
  const { page, t } = visitor;
  const pictures: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "image" && request.url().includes("/media/")) pictures.push(request.url());
  });
  await openAsMember(visitor, hanako, "");
  const picture = page.getByRole("article").getByRole("img");
  await expect(picture).toBeVisible();

  await expect.poll(() => new Set(pictures).size).toBe(4);
  const before = [...pictures];
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => new Set(pictures).size).toBe(5);
  expect(before).toContain(new URL((await picture.getAttribute("src"))!, page.url()).href);
  await page.getByRole("button", { name: t.home.pass }).click();
  await expect.poll(() => new Set(pictures).size).toBe(6);
});

test("likes that are used up are told in the server's words, and the card stays", async ({
  visit,
  mailbox,
  server,
}) => {
  const stage = { mailbox, server };
  const hanako = await somebody(stage, "used-up-hanako", VIENNA, { sex: "female", search_sex: "male" });
  await somebody(stage, "used-up-taro", VIENNA, { username: "Taro" });
  const visitor = await visit({ language: "zh-hant", at: VIENNA });
  visitor.allowError(/status of 451/);
  const { page, t, context } = visitor;
  // Fifty likes of a paid member, as the server would answer the next one.
  await context.route("**/users/api/like", (route) =>
    route.fulfill({
      status: 451,
      contentType: "application/json",
      body: JSON.stringify({ code: "likes_used_up", error_message: t.errors.likes_used_up }),
    }),
  );
  await openAsMember(visitor, hanako, "");
  await page.getByRole("button", { name: t.home.like }).click();

  await expect(page.getByRole("alert").filter({ hasText: t.errors.likes_used_up })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
  await expect(page.getByRole("button", { name: t.home.like })).toBeEnabled();
});

test("two pictures slide by themselves once they are told to, each for three seconds, and the page behind stands still", async ({
  visit,
  mailbox,
  server,
}) => {
  const stage = { mailbox, server };
  const hanako = await somebody(stage, "slides-hanako", CAIRO, { sex: "female", username: "Hanako" });
  const taro = await somebody(stage, "slides-taro", CAIRO);
  await hanako.ask(likeUser, { likedId: taro.userId });
  await taro.ask(likeUser, { likedId: hanako.userId });
  const icon = new File([new Uint8Array(drawPicture([180, 70, 90], [240, 210, 180]))], "icon.png");
  await hanako.ask(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
  await hanako.ask(showClearIcon, { userId: taro.userId });
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await page.clock.install();
  await openAsMember(visitor, taro, `/home/${hanako.userId}`);
  const opener = page.getByRole("button", { name: t.profile.enlarge });
  const dialog = page.getByRole("dialog");
  const counter = (text: string) => expect(dialog.getByRole("status")).toHaveText(text);
  const progress = () => dialog.getByRole("progressbar").evaluate((bar: HTMLProgressElement) => bar.value);
  const stageOf = (label: string) =>
    dialog
      .locator("button.slideshow__stage", { has: page.locator("img") })
      .and(page.getByRole("button", { name: label }));
  await opener.click();
  await counter("1 / 2");
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  const isScrollable = () =>
    page.evaluate(() => {
      scrollTo(0, 0);
      scrollBy(0, 200);
      return (
        getComputedStyle(document.documentElement).overflowY !== "hidden" &&
        getComputedStyle(document.body).overflowY !== "hidden"
      );
    });
  expect(await isScrollable()).toBe(false);

  // Who wants less motion starts with a picture that stands.
  await page.clock.runFor(4_000);
  expect(await progress()).toBe(0);
  await stageOf(t.slideshow.play).click();
  await page.clock.runFor(30 * 50);
  await expect.poll(progress).toBe(50);
  await page.clock.runFor(30 * 49);
  await expect.poll(progress).toBe(99);
  await counter("1 / 2");
  await page.clock.runFor(30);
  await counter("2 / 2");
  await expect.poll(progress).toBe(0);
  await expect(dialog.getByRole("img", { name: "Hanako" })).toHaveCount(1);
  await expect(dialog.getByRole("img", { name: "Hanako" })).toHaveAttribute("src", /\/media\/c\//);
  await page.clock.runFor(3_000);
  await counter("1 / 2");
  await stageOf(t.slideshow.pause).click();
  await page.clock.runFor(9_000);
  await counter("1 / 2");
  await dialog.getByRole("button", { name: t.slideshow.previous }).click();
  await counter("2 / 2");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.clock.runFor(1_000); // the page is let go a moment later
  expect(await isScrollable()).toBe(true);

  await page.emulateMedia({ reducedMotion: "no-preference" });
  await opener.click();
  await expect(dialog.locator(".slideshow__strip")).toHaveCSS("transition-duration", "1s");
  await page.clock.runFor(3_000);
  await counter("2 / 2");
});

for (const device of ["phone", "desktop"] as const) {
  test(`a slider's thumbs follow ${device === "phone" ? "a finger" : "the mouse"}, stop at each other and never lock`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const hanako = await signUp(server.url, mailbox, personOf(`thumbs-${device}`));
    const visitor = await visit({ device });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "/setting/filter");
    const [nearest, farthest] = [t.profileForm.nearest, t.profileForm.farthest].map((name) =>
      page.getByRole("slider", { name }),
    ) as [Locator, Locator];
    const values = async () => [await nearest.inputValue(), await farthest.inputValue()].map(Number);
    const move = device === "phone" ? drag : pull;
    /** Takes whichever thumb lies on top at a value and moves it to another one. */
    const slide = async (from: number, to: number) => {
      const { x, y, width, height } = await middleOf(nearest);
      const at = (value: number): [number, number] => [
        x - width / 2 + height / 2 + ((width - height) * value) / 500,
        y,
      ];
      await move(page, at(from), at(to));
    };
    await expect(nearest).toBeVisible();

    await slide(500, 250);
    expect((await values())[0]).toBe(0);
    expect(Math.abs((await values())[1]! - 250)).toBeLessThanOrEqual(3);
    await slide(0, 400);
    const [low, high] = await values();
    expect(low).toBe(high);
    await slide(high!, 500);
    await slide(low!, 500);
    expect(await values()).toEqual([500, 500]);
    await slide(500, 100);
    expect((await values())[1]).toBe(500);
    expect(Math.abs((await values())[0]! - 100)).toBeLessThanOrEqual(3);
    await slide(500, 0);
    expect((await values())[0]).toBe((await values())[1]);
    await slide((await values())[0]!, 0);
    await slide((await values())[0]!, 450);

    await page.getByRole("button", { name: t.settings.save }).click();
    await expect(page.getByText(t.settings.saved)).toBeVisible();
    const { user } = await hanako.ask(getOwnUser, {});
    expect([user.search_min_range, user.search_max_range]).toEqual(await values());
  });
}
