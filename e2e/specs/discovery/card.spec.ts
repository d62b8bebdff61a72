import { getUser } from "@alcove/contract/discovery";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { match } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const INTRODUCTION = Array.from({ length: 12 }, (_, i) => `Line ${i} of a long introduction.`).join("\n\n");
const FACTS = {
  sex: "male",
  how_long_married: 4,
  purpose: "walks by the river",
  hobby: "Paper herons",
  description: INTRODUCTION,
} as const;

test("shows the facts in order with Pass and Like in view, and the rest on request", async ({
  visit,
  member,
  place,
}) => {
  const [hanako] = await Promise.all([
    member("card-hanako", { at: place }),
    member("card-taro", { ...FACTS, at: place, username: "Taro" }),
  ]);
  for (const [device, bottom] of [
    ["phone", 844],
    ["desktop", 800],
  ] as const) {
    const visitor = await visit({ device, at: place });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "");
    const card = page.getByRole("article", { name: "Taro, 4" });
    await expect(card).toContainText(/Taro, 4\d.*Within 10 km.*married 4 years.*Walks by the river\./s);

    for (const name of [t.home.pass, t.home.like]) {
      const box = (await page.getByRole("button", { name }).boundingBox())!;
      expect(box.y + box.height).toBeLessThan(bottom);
    }
    if (device === "phone") {
      const like = (await page.getByRole("button", { name: t.home.like }).boundingBox())!;
      const menu = (await page.getByRole("navigation", { name: t.shell.menu }).boundingBox())!;
      expect(like.y + like.height).toBeLessThan(menu.y);
    }
    const last = page.getByText("Line 11 of");
    await expect(last).not.toBeInViewport();
    await keyboard.press(page.getByRole("button", { name: t.profile.readMore, exact: true }));
    await page.getByRole("button", { name: t.profile.readLess, exact: true }).scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport();
    for (const name of [t.home.pass, t.home.like])
      await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("link", { name: t.home.filter })).toHaveAttribute(
      "href",
      "/en/setting/filter",
    );
  }
});

test("counts the likes left for a paid member, and confirms a decision for five seconds", async ({
  visit,
  member,
  place,
}) => {
  const [hanako] = await Promise.all([
    member("left-hanako", { at: place, search_sex: "male", isPaid: true }),
    member("left-jiro", { at: place, sex: "male", username: "Jiro" }),
    member("left-saburo", { at: place, sex: "male", username: "Saburo" }),
  ]);
  const visitor = await visit({ device: "phone", at: place });
  const { page, t } = visitor;
  await page.clock.install();
  await openAsMember(visitor, hanako, "");
  await expect(page.getByText("50 likes left today")).toBeVisible();
  const name = (await page.getByRole("article").getByRole("heading").textContent())!;

  await keyboard.press(page.getByRole("button", { name: t.home.like }));
  await expect(page.getByText(formatText(t.home.liked, { name })).last()).toBeInViewport();
  await expect(page.getByRole("button", { name: t.home.undo })).toBeVisible();
  await expect(page.getByRole("button", { name: t.home.like })).toBeFocused();
  await page.clock.fastForward(5_000);
  await expect(page.getByRole("button", { name: t.home.undo })).toHaveCount(0);

  await expect(page.getByText("49 likes left today")).toBeVisible();
});

test("moves a passed card to the left and back by Undo, and fades it with reduced motion", async ({
  visit,
  member,
  place,
}) => {
  const [hanako] = await Promise.all([
    member("move-hanako", { at: place }),
    member("move-taro", { at: place, sex: "male", username: "Taro" }),
  ]);
  const visitor = await visit({ device: "phone", at: place });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await page.evaluate(() =>
    addEventListener("animationstart", ({ target }) => {
      const card = target as Element;
      if (!card.matches("[data-motion='pass']")) return;
      const frames = card.getAnimations().flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes());
      const isMoved = frames.some(({ transform = "none" }) => transform !== "none");
      document.documentElement.dataset["passed"] = isMoved ? "moves" : "fades";
    }),
  );
  for (const [reducedMotion, motion] of [
    ["no-preference", "moves"],
    ["reduce", "fades"],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await expect(page.getByRole("article")).toBeVisible();
    await page.keyboard.press("ArrowLeft");

    await expect(page.locator("html")).toHaveAttribute("data-passed", motion);
    await expect(page.getByText(formatText(t.home.passed, { name: "Taro" })).last()).toBeInViewport();
    await page.getByRole("button", { name: t.home.undo }).click();
    await expect(page.getByRole("article", { name: "Taro" })).toHaveAttribute("data-motion", "back-pass");
    await expect(page.getByRole("heading", { name: "Taro" })).toBeFocused();
  }
});

test("brings the card back with a reason when the connection breaks during a decision", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("break-hanako", { at: place });
  const taro = await member("break-taro", { at: place, sex: "male", username: "Taro" });
  const visitor = await visit({ device: "phone", at: place });
  const { page, t } = visitor;
  const card = page.getByRole("article", { name: "Taro" });
  for (const path of ["", `/home/${taro.userId}`]) {
    await openAsMember(visitor, hanako, path);
    await expect(card).toBeVisible();
    await visitor.goOffline();

    await keyboard.press(page.getByRole("button", { name: t.home.like }));
    await expect(alertWith(visitor, t.errorScreen.offline)).toBeVisible();
    await expect(card).toBeVisible();
    await visitor.goOnline();
    expect(await hanako.call(getUser, { userId: taro.userId })).toMatchObject({ verdict: null });
  }

  await keyboard.press(page.getByRole("button", { name: t.home.like }));
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  expect(await hanako.call(getUser, { userId: taro.userId })).toMatchObject({ verdict: "like" });
});

test("decides on a profile page by keyboard, which uses the card of the day, and then shows the state", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro, jiro] = await Promise.all([
    member("page-hanako", { at: place }),
    member("page-taro", {
      ...FACTS,
      sex: "male",
      username: "Taro",
      instagram: "https://social.example/taro",
    }),
    member("page-jiro", { at: place, sex: "male", username: "Jiro" }),
  ]);
  const visitor = await visit({ at: place });
  visitor.allowError(/status of 402/);
  const { page, t } = visitor;
  const like = page.getByRole("button", { name: t.home.like });
  await openAsMember(visitor, hanako, `/home/${taro.userId}`);
  await expect(page.getByText("Line 11 of")).toBeVisible();
  await expect(page.getByRole("link", { name: "Instagram" })).toHaveCount(0);

  await keyboard.press(like);
  await expect(page).toHaveURL(visitor.url(""));
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await expect(page.getByText(formatText(t.home.liked, { name: "Taro" })).last()).toBeVisible();

  await visitor.open(`/home/${taro.userId}`);
  await expect(page.getByText(formatText(t.home.liked, { name: "Taro" }))).toBeVisible();
  await expect(like).toHaveCount(0);
  await visitor.open(`/home/${jiro.userId}`);
  await expect(like).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("dialog", { name: t.errors.upgrade_required })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("article", { name: "Jiro" })).toBeVisible();

  await match(hanako, taro);
  await visitor.open(`/home/${taro.userId}`);
  await expect(page.getByRole("link", { name: "Instagram" })).toBeVisible();
  await keyboard.press(page.getByRole("link", { name: t.profile.write, exact: true }));
  await expect(page).toHaveURL(visitor.url(`/dm/${taro.userId}`));
});
