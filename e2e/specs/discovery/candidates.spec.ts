import { getOwnUser } from "@alcove/contract/accounts";
import { passUser } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { centreOf, dragWithFinger, dragWithMouse } from "../../actions/gestures.ts";
import { keyboard } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { northOf } from "../../fixtures/places.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("suggests the filter change that brings a card when nobody is in range", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("empty-hanako", { at: place, isPaid: true });
  const taro = await member("empty-taro", {
    at: northOf(place, 200),
    sex: "male",
    username: "Taro",
  });
  await hanako.call(saveFilter, { search_sex: "male", search_max_range: 30, search_min_age: 30 });
  const visitor = await visit({ language: "ja", device: "phone", at: place });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("heading", { name: t.home.empty_nobody_in_range })).toBeVisible();
  await expect(page.getByText(t.home.wider_distance_text)).toBeVisible();
  await checkAccessibility(visitor, "the empty home with a suggestion");

  await keyboard.press(
    page.getByRole("link", {
      name: formatText(t.home.wider_distance, { distance: formatText(t.profile.km, { count: 250 }) }),
    }),
  );
  const farthest = page.getByRole("slider", { name: t.profileForm.farthest });
  await expect(farthest).toHaveValue("250");
  await expect(page.getByText(t.settings.widened)).toBeVisible();
  await expect(page.getByText("未保存の変更：1件")).toBeVisible();
  await expect(page.getByRole("slider", { name: t.profileForm.youngest })).toHaveValue("30");
  await checkAccessibility(visitor, "the filter as suggested");
  expect((await hanako.call(getOwnUser, {})).user.search_max_range).toBe(30);
  await keyboard.press(page.getByRole("button", { name: t.settings.save }));

  await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
  await expect(page).toHaveURL(visitor.url(""));
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({
    search_sex: "male",
    search_max_range: 250,
    search_min_age: 30,
  });
  await hanako.call(passUser, { unlikedId: taro.userId });
  await page.reload();
  await expect(page.getByRole("heading", { name: t.home.empty_all_seen })).toBeVisible();
});

test("likes by a swipe to the right and passes by a swipe to the left, by finger and by mouse", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("swipe-hanako", { at: place, search_sex: "male", isPaid: true });
  for (const [device, swipe] of [
    ["phone", dragWithFinger],
    ["desktop", dragWithMouse],
  ] as const) {
    const names = ["A", "B", "C"].map((letter) => `${letter} ${device}`);
    await Promise.all(
      names.map((username, i) => member(`swipe-${device}-${i}`, { at: place, sex: "male", username })),
    );
    const visitor = await visit({ device, at: place });
    const { page } = visitor;
    await openAsMember(visitor, hanako, "");
    const card = page.getByRole("article");
    await expect(card).toBeVisible();
    const first = (await card.getAttribute("aria-label"))!;
    const shown = () => card.getAttribute("aria-label");
    const { x, y, width } = await centreOf(card.getByRole("img"));

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
    await expect(page.locator("article")).toHaveCount(1); // no swipe counts while a card leaves
    await Promise.all([
      page.waitForRequest(/\/users\/api\/unlike$/),
      swipe(page, [x, y], [x - width * 0.5, y]),
    ]);
    await expect.poll(shown).not.toBe(second);
    await expect(page.locator("article")).toHaveCount(1);
    for (const label of [first, second]) expect(names).toContain(label.split(",")[0]);
    await page.getByRole("button", { name: visitor.t.home.pass }).click();
    await expect(page.getByRole("heading", { name: visitor.t.home.empty_all_seen })).toBeVisible();
  }
});

test("selects text on a card with the mouse without a verdict", async ({ visit, member, place }) => {
  const hanako = await member("mark-hanako", { at: place, search_sex: "male" });
  const description = "I fold paper herons and walk by the river.";
  await member("mark-taro", { at: place, sex: "male", username: "Taro", description });
  const visitor = await visit({ at: place });
  const { page } = visitor;
  await openAsMember(visitor, hanako, "");
  for (const width of [1280, 500]) {
    await page.setViewportSize({ width, height: 800 });
    const text = await centreOf(page.getByText(description));
    const [left, right] = [text.x - text.width / 2 + 2, text.x + text.width / 2 - 2];

    await dragWithMouse(page, [left, text.y], [right, text.y]);

    expect(await page.evaluate(() => String(getSelection()))).toContain("paper herons");
    await page.reload();
    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
  }
});

test("preloads the pictures of the next three cards", async ({ visit, member, place }) => {
  const hanako = await member("ahead-hanako", { at: place, search_sex: "male", isPaid: true });
  const others = Array.from({ length: 6 }, (_, i) => {
    const icon = new File([new Uint8Array(drawPicture([i * 40, 80, 60], [230, 200, 90]))], "icon.png");
    return member(`ahead-${i}`, { at: place, sex: "male", username: `Ahead ${i}`, icon });
  });
  await Promise.all(others);
  const visitor = await visit({ at: place });
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
  expect(before).toContain(await picture.evaluate((image: HTMLImageElement) => image.currentSrc));
  await page.getByRole("button", { name: t.home.pass }).click();
  await expect.poll(() => new Set(pictures).size).toBe(6);
});
