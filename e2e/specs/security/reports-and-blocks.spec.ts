import { getUser, likeUser, saveLocation } from "@alcove/contract/discovery";
import { getLastDms, sendDm } from "@alcove/contract/messaging";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { message } from "../../actions/chat-actions.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard, mouse, type InputMethod } from "../../actions/input-method.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

// Each test has a corner of the world of its own: nobody of another test is within reach.
const QUITO = [-78.47, -0.18] as const;
const DAKAR = [-17.44, 14.69] as const;
const ULAANBAATAR = [106.92, 47.92] as const;

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
  const { page, t } = visitor;
  const card = page.getByRole("article", { name: "太郎" });
  const undo = page.getByRole("button", { name: t.home.undo });
  const isSaid = () =>
    expect(
      page.getByRole("status").filter({ hasText: formatText(t.home.undone, { name: "太郎" }) }),
    ).toHaveCount(1);
  await openAsMember(visitor, hanako, "");
  await expect(card).toBeVisible();
  await expect(undo).toHaveCount(0);

  await page.getByRole("button", { name: t.home.pass }).click();
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await checkAccessibility(visitor, "the empty home with a pass to take back");
  await undo.click();
  await expect(card).toBeVisible();
  await isSaid();
  await expect(page.getByRole("heading", { name: "太郎" })).toBeFocused();
  await expect(undo).toHaveCount(0);

  for (const key of ["u", "Backspace"]) {
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
    await page.keyboard.press(key);
    await expect(card).toBeVisible();
    await isSaid();
  }

  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await expect(undo).toHaveCount(0);
  expect(await taro.ask(likeUser, { likedId: hanako.userId })).toEqual({ matched: true });
});

/** Fills in the sheet that asks why somebody is reported, and sends it. */
async function report(
  visitor: Visitor,
  input: InputMethod,
  name: string,
  { detail, alsoBlock = false }: { detail?: string; alsoBlock?: boolean } = {},
): Promise<void> {
  const { page, t } = visitor;
  const sheet = page.getByRole("dialog", { name: formatText(t.safety.reportTitle, { name }) });
  await expect(sheet).toBeVisible();
  await checkAccessibility(visitor, "the sheet of a report");
  await input.press(sheet.getByRole("button", { name: t.safety.sendReport }));
  await expect(sheet.getByText(t.fields.required)).toBeVisible();
  await expect(sheet.getByRole("radio", { name: t.safety.reason_fake })).toBeFocused();
  if (input === keyboard) await page.keyboard.press("ArrowDown");
  else await sheet.getByRole("radio", { name: t.safety.reason_harassment }).check();
  await expect(sheet.getByRole("radio", { name: t.safety.reason_harassment })).toBeChecked();
  if (detail) await input.type(sheet.getByLabel(t.safety.detail), detail);
  if (alsoBlock) {
    await input.tick(sheet.getByRole("checkbox", { name: formatText(t.safety.alsoBlock, { name }) }));
  }
  await input.press(sheet.getByRole("button", { name: t.safety.sendReport }));
  await expect(page.getByText(t.safety.reported)).toBeVisible();
  await expect(sheet).toBeHidden();
}

test("a member is reported from the card, the profile and the chat, a message among it, and blocked at the end", async ({
  visit,
  mailbox,
  server,
}) => {
  test.slow();
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("report-hanako")),
    signUp(server.url, mailbox, personOf("report-taro", { sex: "male", username: "Report Taro" })),
  ]);
  await Promise.all([isAt(hanako, DAKAR), isAt(taro, DAKAR)]);
  const visitor = await visit({ at: DAKAR });
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;

  await openAsMember(visitor, hanako, "");
  await mouse.press(page.getByRole("article").getByRole("button", { name: t.home.report }));
  await report(visitor, mouse, "Report Taro");

  await visitor.open(`/home/${taro.userId}`);
  await keyboard.press(page.getByRole("button", { name: t.profile.report }));
  await report(visitor, keyboard, "Report Taro", { detail: "He is somebody else." });

  await hanako.ask(likeUser, { likedId: taro.userId });
  await taro.ask(likeUser, { likedId: hanako.userId });
  const { dm } = await taro.ask(sendDm, { receiverId: hanako.userId, description: "I know where you live." });
  await visitor.open(`/dm/${taro.userId}`);
  await message(visitor, "I know where you live.").click({ button: "right" });
  const option = page.getByRole("button", { name: t.chat.reportMessage });
  const { x } = (await page.getByRole("log").getByRole("time").first().boundingBox())!;
  expect((await option.boundingBox())!.x - x).toBeLessThan(10); // on the message's own side
  await option.click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("option", { name: "I know where you live." })).toHaveJSProperty(
    "selected",
    true,
  );
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.getByRole("button", { name: t.chat.report, exact: true }).click();
  await sheet.getByLabel(t.safety.message).selectOption({ label: "I know where you live." });
  const sent = page.waitForRequest((request) => request.url().endsWith("/users/api/report"));
  await report(visitor, mouse, "Report Taro", { alsoBlock: true });

  expect((await sent).postDataJSON()).toMatchObject({ reason: "harassment", dmId: dm.id });
  await expect(page.getByText(t.safety.blocked)).toBeVisible();
  expect(await taro.ask(getLastDms, {})).toEqual({ matches: [], dms: [], unread: [] });
});

test("somebody who must never see a member joins later, and neither is shown to the other", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("never-hanako"));
  await isAt(hanako, ULAANBAATAR);
  const visitor = await visit({ language: "zh-hant", at: ULAANBAATAR, device: "phone" });
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;
  const { neverSee, settings } = t;
  await openAsMember(visitor, hanako, "/setting");
  await page.getByRole("link", { name: settings.neverSee }).click();
  await expect(page.getByRole("heading", { name: neverSee.none })).toBeVisible();

  const add = page.getByRole("button", { name: neverSee.add });
  await keyboard.press(add);
  await expect(page.getByText(t.fields.required)).toBeVisible();
  await expect(page.getByLabel(neverSee.who)).toBeFocused();
  await page.getByLabel(neverSee.who).fill("@");
  await add.click();
  await expect(page.getByText(t.fields.email_or_user_id)).toBeVisible();
  await page.getByLabel(neverSee.who).fill("Never-Taro@Example.com\nsomebody_else");
  await add.click();
  await expect(page.getByText(neverSee.added)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: neverSee.email })).toHaveCount(1);
  await expect(page.getByRole("listitem").filter({ hasText: neverSee.handle })).toHaveCount(1);
  await expect(page.getByLabel(neverSee.who)).toHaveValue("");
  await checkAccessibility(visitor, "the entries of who must never see");
  await expect(page.getByRole("button", { name: neverSee.remove })).toHaveCount(0);

  const taro = await signUp(
    server.url,
    mailbox,
    personOf("never-taro", { sex: "male", email: "never-taro@example.com" }),
  );
  await isAt(taro, ULAANBAATAR);
  for (const [who, whom] of [
    [taro, hanako],
    [hanako, taro],
  ] as const) {
    await expect(who.ask(getUser, { userId: whom.userId })).rejects.toThrow("404");
  }
  await visitor.open("");
  await expect(page.getByRole("heading", { name: t.home.empty_nobody_in_range })).toBeVisible();
  await visitor.open(`/home/${taro.userId}`);
  await expect(page.getByText(t.errors.user_not_found)).toBeVisible();
});
