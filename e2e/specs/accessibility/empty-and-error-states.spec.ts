import type { Locator } from "@playwright/test";
import { logIn } from "@alcove/contract/accounts";
import { likeUser, saveLocation, showClearIcon } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { addNeverSee } from "@alcove/contract/safety";
import { clientOf, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { message } from "../../actions/chat-actions.ts";
import { buyYear } from "../../actions/payments.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { expectNothingCutOff, checkAccessibility, enlargeText } from "../../actions/a11y-checks.ts";
import { choosePicture } from "../../actions/sign-up.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

/**
 * Each walk has a corner of the world of its own. Two languages, one of wide words and one of wide letters: every look is
 * also taken with twice the text, and the Chinese words are the shortest of all.
 */
const WALKS = [
  { language: "en", device: "desktop", theme: "light", at: [-57.85, -51.7] },
  { language: "ja", device: "phone", theme: "dark", at: [-36.5, -54.28] },
] as const;
const MINUTE = 60_000;

// Whoever likes somebody on the way still has a card.
test.use({ freeCards: "100", payments: "stand-in" });
const LONG_NAME = "Bartholomew Featherstonehaugh-Cholmondeley";

/** Looks at a state of a screen as it is, and with twice the text on a narrow telephone. */
type Look = (what: string) => Promise<void>;

function lookingAt(visitor: Visitor, theme: "light" | "dark"): Look {
  return async (what) => {
    await checkAccessibility(visitor, what, [theme]);
    const backToNormal = await enlargeText(visitor);
    await expectNothingCutOff(visitor, what);
    await backToNormal();
  };
}

/** Opens a layer with the keys, looks at it, closes it with Esc, and finds the focus where it was. */
async function lookInto({ page }: Visitor, look: Look, opener: Locator, what: string): Promise<void> {
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await look(what);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(opener, `${what} gives the focus back`).toBeFocused();
}

for (const { language, device, theme, at } of WALKS) {
  test(`the steps to a new password are sound in each state in ${language}`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const hanako = await signUp(server.url, mailbox, personOf(`state-reset-${language}`));
    const visitor = await visit({ language, device, theme });
    const { page, t } = visitor;
    const look = lookingAt(visitor, theme);

    await visitor.open("/oauth-callback/login");
    await expect(page.getByRole("alert").filter({ hasText: t.login.failed })).toBeVisible();
    await look("the login after Google said nothing");
    await visitor.open("/reset-password");
    await page.getByLabel(t.codes.email, { exact: true }).fill(hanako.email);
    await page.getByRole("button", { name: t.codes.send }).click();
    await page.getByLabel(t.codes.code).fill("000000");
    await page.getByRole("button", { name: t.codes.confirm }).click();
    await expect(page.getByText(formatText(t.codes.wrong, { misses: 1 }))).toBeVisible();
    await look("a wrong code");
    const { code } = await mailbox.waitForLetter(hanako.email, 2);
    await page.getByLabel(t.codes.code).fill(code!);
    await page.getByRole("button", { name: t.codes.confirm }).click();
    await page.getByRole("button", { name: t.passwords.save }).click();
    await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
    await look("a new password that is empty");
  });

  test(`what opens over the card, a profile and a chat is sound in ${language}`, async ({
    visit,
    mailbox,
    server,
  }) => {
    test.slow();
    const [hanako, taro, jiro] = await Promise.all([
      signUp(server.url, mailbox, personOf(`over-hanako-${language}`)),
      signUp(
        server.url,
        mailbox,
        personOf(`over-taro-${language}`, {
          sex: "male",
          username: LONG_NAME,
          description: "- [a place](https://a.rather.long.host.name.example/)\n\n1. one",
        }),
      ),
      signUp(server.url, mailbox, personOf(`over-jiro-${language}`, { sex: "male", username: "次郎" })),
    ]);
    const icon = new File([new Uint8Array(drawPicture([180, 70, 90], [240, 210, 180]))], "icon.png");
    await hanako.ask(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
    await taro.ask(likeUser, { likedId: hanako.userId });
    await hanako.ask(likeUser, { likedId: taro.userId });
    await taro.ask(sendDm, { receiverId: hanako.userId, description: "A word that was not called for" });
    await Promise.all([hanako, jiro].map((member) => member.ask(saveLocation, { location: at.join(",") })));
    const visitor = await visit({ language, device, theme, at });
    const { page, t } = visitor;
    const look = lookingAt(visitor, theme);
    const into = (opener: Locator, what: string) => lookInto(visitor, look, opener, what);

    await openAsMember(visitor, hanako, `/home/${taro.userId}`);
    await into(page.getByRole("link", { name: "a place" }), "the question before a link");
    await into(
      page.getByRole("button", { name: formatText(t.profile.showClear, { name: LONG_NAME }) }),
      "the question before a clear picture is shown",
    );
    await hanako.ask(showClearIcon, { userId: taro.userId });
    await visitor.open(`/home/${taro.userId}`);
    await into(
      page.getByRole("button", { name: t.profile.hideClear }),
      "the question before it is taken back",
    );
    await into(page.getByRole("button", { name: t.profile.report }), "the report from a profile");
    await page.getByRole("button", { name: t.profile.report }).click();
    await page.getByRole("dialog").getByRole("button", { name: t.safety.sendReport }).click();
    await expect(page.getByText(t.fields.required, { exact: true })).toBeVisible();
    await look("a report without a reason");

    await visitor.open(`/dm/${taro.userId}`);
    await message(visitor, "A word that was not called for").click({ button: "right" });
    await look("a message that may be reported");
    await page.getByRole("button", { name: t.chat.reportMessage }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("the report of a message");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: t.chat.reportMessage })).toBeFocused();
    await into(page.getByRole("button", { name: t.chat.block }), "the question before a block in a chat");
    await into(page.getByRole("button", { name: t.chat.report, exact: true }), "the report from a chat");

    await visitor.open("");
    await into(
      page.getByRole("article").getByRole("button", { name: t.home.report }),
      "the report from a card",
    );
    await page.getByRole("button", { name: t.home.pass }).click();
    await expect(page.getByRole("button", { name: t.home.undo })).toBeVisible();
    await look("a pass that can be taken back");
  });

  test(`every setting is sound in each state in ${language}`, async ({ visit, mailbox, server }) => {
    test.slow();
    const [hanako, taro] = await Promise.all([
      signUp(server.url, mailbox, personOf(`setting-hanako-${language}`)),
      signUp(
        server.url,
        mailbox,
        personOf(`setting-taro-${language}`, { sex: "male", username: "Featherstonehaugh".repeat(2) }),
      ),
    ]);
    const icon = new File([new Uint8Array(drawPicture([180, 70, 90], [240, 210, 180]))], "icon.png");
    await hanako.ask(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
    await taro.ask(likeUser, { likedId: hanako.userId });
    await hanako.ask(likeUser, { likedId: taro.userId });
    await hanako.ask(showClearIcon, { userId: taro.userId });
    await hanako.ask(addNeverSee, { who: "never@example.com\nnever_him" });
    await clientOf(server.url).ask(logIn, { user_id: hanako.userId, password: hanako.password });
    const visitor = await visit({ language, device, theme, at });
    const { page, t } = visitor;
    const { devices, neverSee, passwords, privacy, settings } = t;
    const look = lookingAt(visitor, theme);
    const into = (opener: Locator, what: string) => lookInto(visitor, look, opener, what);
    const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

    await openAsMember(visitor, hanako, "/setting/devices");
    await into(button(devices.signOutOthers), "the question before all other devices");
    const one = formatText(devices.signOutName, { name: devices.unknown });
    await into(button(one), "the question before a device");
    await look("the devices");

    await visitor.open("/setting/never-see");
    await button(neverSee.add).click();
    await expect(page.getByText(t.fields.required, { exact: true })).toBeVisible();
    await look("who must never see, with nobody named");
    await visitor.context.route("**/users/api/never-see", async (route) => {
      if (route.request().method() !== "GET") return route.fallback();
      // A month later.
      const response = await route.fetch();
      const { entries } = (await response.json()) as { entries: { removable_at: string }[] };
      for (const entry of entries) entry.removable_at = new Date(0).toISOString();
      return route.fulfill({ response, json: { entries } });
    });
    await page.reload();
    await into(button(neverSee.remove).first(), "the question before an entry is removed");

    await visitor.open("/setting/password");
    await button(passwords.change).click();
    await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
    await look("the password, not filled in");

    await visitor.open("/setting/profile");
    await expect(button(t.profileForm.stopShowing)).toBeVisible();
    await look("the profile with who sees the clear picture");
    await choosePicture(visitor, mouse);
    await expect(page.getByRole("dialog", { name: t.crop.title })).toBeVisible();
    await look("the crop layer");
    await page.getByRole("button", { name: t.crop.confirm }).click();
    await page.getByRole("checkbox", { name: t.profileForm.process }).check();
    await expect(page.getByRole("img", { name: t.profileForm.yourPicture })).toHaveAttribute("src", /^data:/);
    await page.getByLabel(t.profileForm.username).fill("");
    await button(settings.save).click();
    await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
    await look("the profile with a preview and a fault");
    await page.getByRole("navigation", { name: t.shell.menu }).getByRole("link").last().click();
    await expect(page.getByRole("dialog", { name: settings.unsaved })).toBeVisible();
    await look("the question before leaving");
    await page.getByRole("button", { name: settings.leave }).click();
    await expect(page).toHaveURL(visitor.url("/setting"));

    await page.getByRole("link", { name: settings.deleteAccount }).click();
    const password = page.getByLabel(t.deleteAccount.password, { exact: true });
    await password.fill("not the right one");
    await page.locator("form").getByRole("button", { name: t.deleteAccount.delete }).click();
    await expect(page.getByText(t.deleteAccount.wrongPassword)).toBeVisible();
    await look("the wrong password before leaving");
    await password.fill(hanako.password);
    await into(
      page.locator("form").getByRole("button", { name: t.deleteAccount.delete }),
      "the last question",
    );

    await visitor.open("/setting/privacy");
    await button(privacy.setPin).click();
    await expect(page.getByText(privacy.pinInvalid)).toBeVisible();
    await look("a PIN that cannot be");
    await page.getByRole("radio", { name: privacy.idle_15 }).check();
    await page.clock.install();
    await page.reload();
    await expect(button(privacy.setPin)).toBeVisible();
    await page.clock.fastForward(14 * MINUTE + 1_000);
    await expect(page.getByRole("dialog", { name: privacy.idleWarning })).toBeVisible();
    await look("the warning before an unused session ends");
    await page.getByRole("dialog").getByRole("button", { name: privacy.stay }).click();
    await page.getByLabel(privacy.pin, { exact: true }).fill("2468");
    await page.getByLabel(privacy.pinAgain).fill("2468");
    await button(privacy.setPin).click();
    await into(button(privacy.removePin), "the question for the PIN");
    await look("the PIN that is set");
    await page.reload();
    await page.getByLabel(privacy.pin, { exact: true }).fill("0000");
    await button(privacy.unlock).click();
    await expect(page.getByText(formatText(privacy.pinWrong, { left: 9 })).first()).toBeVisible();
    await look("the lock after a wrong PIN");
  });

  test(`buying and what is earned are sound in each state in ${language}`, async ({
    visit,
    mailbox,
    server,
    paypal,
  }) => {
    const hanako = await signUp(server.url, mailbox, personOf(`money-hanako-${language}`));
    const invited = { invited_by_user_id: hanako.userId };
    await buyYear(paypal!, await signUp(server.url, mailbox, personOf(`money-taro-${language}`, invited)));
    const visitor = await visit({ language, device, theme });
    visitor.allowError(/status of (404|503)/);
    const { page, t } = visitor;
    const { referral, membership, errors } = t;
    const look = lookingAt(visitor, theme);

    await openAsMember(visitor, hanako, "/upgrade-account");
    await page.getByLabel(membership.couponCode).fill("GIFT-OF-NOBODY");
    await page.keyboard.press("Tab");
    await expect(page.getByText(errors.coupon_not_found).first()).toBeVisible();
    await look("a coupon that does not exist");
    await page.getByRole("textbox", { name: membership.month, exact: true }).fill("120");
    await paypal!.wish({ call: "create order", mood: "failing", times: 20 });
    await page.getByRole("button", { name: membership.pay }).click();
    const reason = errors.payments_unavailable;
    await expect(page.getByText(formatText(membership.couldNotInitiate, { reason }))).toBeVisible();
    await paypal!.calmDown();
    await look("a payment that could not begin");

    await visitor.open("/brokerage-fee");
    const transfer = page.getByRole("button", {
      name: formatText(referral.transferAmount, { amount: "USD 16.00" }),
      exact: true,
    });
    await transfer.click();
    await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
    await look("a transfer to nobody");
    await page.getByLabel(referral.email).fill(`${"payee".repeat(8)}@example.com`);
    const password = page.getByLabel(t.deleteAccount.password, { exact: true });
    await password.fill("not the right one");
    await transfer.click();
    await expect(page.getByText(t.deleteAccount.wrongPassword)).toBeVisible();
    await look("the wrong password before a transfer");
    await password.fill(hanako.password);
    await transfer.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("the last question before a transfer");
  });
}
