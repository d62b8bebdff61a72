import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { signUp, type SignedUp } from "@alcove/sandbox/client";
import { personOf } from "@alcove/sandbox/people";
import { enter } from "./entering.ts";
import { inspect } from "./inspecting.ts";
import { expect, test } from "./stage.ts";
import { said } from "./words.ts";

// Each test has a corner of the world of its own: nobody of another test is within reach.
const QUITO = [-78.47, -0.18] as const;

type Place = readonly [number, number];
const isAt = (member: SignedUp, place: Place) => member.ask(saveLocation, { location: place.join(",") });

test("a pass is taken back by the button and by the keys, and the same card is there again", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("undo-hanako")),
    signUp(server.url, mailbox, personOf("undo-taro", { sex: "male", username: "太郎" })),
  ]);
  await Promise.all([isAt(hanako, QUITO), isAt(taro, QUITO)]);
  const visitor = await visit({ language: "ja", at: QUITO, device: "phone" });
  const { page, words } = visitor;
  const card = page.getByRole("article", { name: "太郎" });
  const undo = page.getByRole("button", { name: words.home.undo });
  const isSaid = () =>
    expect(
      page.getByRole("status").filter({ hasText: said(words.home.undone, { name: "太郎" }) }),
    ).toHaveCount(1);
  await enter(visitor, hanako, "");
  await expect(card).toBeVisible();
  await expect(undo).toHaveCount(0);

  await page.getByRole("button", { name: words.home.pass }).click();
  await expect(page.getByRole("heading", { name: words.home.empty_card_used })).toBeVisible();
  await inspect(visitor, "the empty home with a pass to take back");
  await undo.click();
  await expect(card).toBeVisible();
  await isSaid();
  await expect(page.getByRole("heading", { name: "太郎" })).toBeFocused();
  await expect(undo).toHaveCount(0);

  for (const key of ["u", "Backspace"]) {
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("heading", { name: words.home.empty_card_used })).toBeVisible();
    await page.keyboard.press(key);
    await expect(card).toBeVisible();
    await isSaid();
  }

  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: words.home.empty_card_used })).toBeVisible();
  await expect(undo).toHaveCount(0);
  expect(await taro.ask(likeUser, { likedId: hanako.userId })).toEqual({ matched: true });
});
