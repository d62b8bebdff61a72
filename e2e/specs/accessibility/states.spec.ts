import type { Locator } from "@playwright/test";
import { logIn } from "@alcove/contract/accounts";
import { showClearIcon } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { addNeverSee } from "@alcove/contract/safety";
import { createClient } from "@alcove/test-services/client";
import { type ScreenCheck, screenCheck, SWEEPS } from "../../actions/a11y-checks.ts";
import { buyYear } from "../../actions/buy-membership.ts";
import { message } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { match, setPosition } from "../../actions/members.ts";
import { chooseFromMore, chooseInChat } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { choosePicture } from "../../actions/sign-up.ts";
import { iconFile } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const MINUTE = 60_000;
const LONG_NAME = "Bartholomew Featherstonehaugh-Cholmondeley";

/** Opens a dialog by keyboard, checks it, closes it with Esc, and expects the focus on its opener. */
async function checkDialog(
  { page }: Visitor,
  check: ScreenCheck,
  opener: Locator,
  dialog: string,
): Promise<void> {
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await check(dialog);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(opener, `${dialog} returns the focus`).toBeFocused();
}

for (const { language, device, theme } of SWEEPS) {
  const tag = language === "en" ? [] : ["@long"];
  test(
    `has no violations in each state of the password reset in ${language}`,
    { tag },
    async ({ visit, member, mailbox }) => {
      const hanako = await member(`state-reset-${language}`);
      const visitor = await visit({ language, device, theme });
      const { page, t } = visitor;
      const check = screenCheck(visitor, theme);

      await visitor.open("/oauth-callback/login");
      await expect(page.getByRole("alert").filter({ hasText: t.login.failed })).toBeVisible();
      await check("the login after a failed Google login");
      await visitor.open("/reset-password");
      await page.getByLabel(t.codes.email, { exact: true }).fill(hanako.email);
      await page.getByRole("button", { name: t.codes.send }).click();
      await page.getByLabel(t.codes.code).fill("00000000");
      await expect(page.getByLabel(t.codes.code)).toHaveAttribute("aria-invalid", "true");
      await check("a wrong code");
      const { code } = await mailbox.waitForEmail(hanako.email, 2);
      await page.getByLabel(t.codes.code).fill(code!);
      await page.getByRole("button", { name: t.passwords.save }).click();
      await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
      await check("an empty new password");
    },
  );

  test(
    `has no violations in dialogs over card, profile and chat in ${language}`,
    { tag },
    async ({ visit, member, place }) => {
      test.slow();
      const [hanako, taro, jiro] = await Promise.all([
        member(`over-hanako-${language}`, { isPaid: true }),
        member(`over-taro-${language}`, {
          sex: "male",
          username: LONG_NAME,
          description: "- [a place](https://a.rather.long.host.name.example/)\n\n1. one",
        }),
        member(`over-jiro-${language}`, { sex: "male", username: "次郎" }),
      ]);
      const icon = iconFile();
      await hanako.call(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
      await match(taro, hanako);
      await taro.call(sendDm, { receiverId: hanako.userId, description: "A word that was not called for" });
      await setPosition(place, hanako, jiro);
      const visitor = await visit({ language, device, theme, at: place });
      const { page, t } = visitor;
      const check = screenCheck(visitor, theme);
      const checkOpened = (opener: Locator, dialog: string) => checkDialog(visitor, check, opener, dialog);

      await openAsMember(visitor, hanako, `/home/${taro.userId}`);
      await checkOpened(page.getByRole("link", { name: "a place" }), "the warning before an external link");
      await checkOpened(
        page.getByRole("button", { name: formatText(t.profile.showClear, { name: LONG_NAME }) }),
        "the confirmation to show a clear picture",
      );
      await hanako.call(showClearIcon, { userId: taro.userId });
      await visitor.open(`/home/${taro.userId}`);
      await checkOpened(
        page.getByRole("button", { name: t.profile.hideClear }),
        "the confirmation to hide a clear picture",
      );
      const more = page.getByRole("button", { name: t.home.more });
      await more.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("menuitem", { name: t.safety.report })).toBeFocused();
      await check("the menu of a profile");
      await page.keyboard.press("Escape");
      await expect(more).toBeFocused();
      await chooseFromMore(visitor, "report");
      await expect(page.getByRole("dialog")).toBeVisible();
      await check("the report from a profile");
      await page.getByRole("dialog").getByRole("button", { name: t.safety.sendReport }).click();
      await expect(page.getByText(t.ui.chooseOne, { exact: true })).toBeVisible();
      await check("a report without a reason");

      await visitor.open(`/dm/${taro.userId}`);
      await message(visitor, "A word that was not called for").click({ button: "right" });
      await check("the options of a message");
      await page.getByRole("menuitem", { name: t.chat.reportMessage }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await check("the report of a message");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("button", { name: t.chat.options })).toBeFocused();
      await page.getByRole("button", { name: t.chat.more }).click();
      await check("the menu of a conversation");
      await page.keyboard.press("Escape");
      for (const entry of [t.chat.block, t.chat.report]) {
        await chooseInChat(visitor, entry);
        await expect(page.getByRole("dialog")).toBeVisible();
        await check(`a conversation: ${entry}`);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("button", { name: t.chat.more })).toBeFocused();
      }

      await visitor.open("");
      await chooseFromMore(visitor, "report");
      await check("the report from a card");
      await page.keyboard.press("Escape");
      await expect(more).toBeFocused();
      await page.getByRole("button", { name: t.home.pass }).click();
      await expect(page.getByRole("button", { name: t.home.undo })).toBeVisible();
      await check("a pass that can be undone");
    },
  );

  test(
    `has no violations in each state of the settings in ${language}`,
    { tag: "@long" },
    async ({ visit, member, place, server }) => {
      test.slow();
      const [hanako, taro] = await Promise.all([
        member(`setting-hanako-${language}`),
        member(`setting-taro-${language}`, { sex: "male", username: "Featherstonehaugh".repeat(2) }),
      ]);
      const icon = iconFile();
      await hanako.call(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
      await match(taro, hanako);
      await hanako.call(showClearIcon, { userId: taro.userId });
      await hanako.call(addNeverSee, { who: "never@example.com\nnever_him" });
      await createClient(server.url).call(logIn, { user_id: hanako.userId, password: hanako.password });
      const visitor = await visit({ language, device, theme, at: place });
      const { page, t } = visitor;
      const { devices, neverSee, passwords, privacy, settings } = t;
      const check = screenCheck(visitor, theme);
      const checkOpened = (opener: Locator, dialog: string) => checkDialog(visitor, check, opener, dialog);
      const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

      await openAsMember(visitor, hanako, "/setting/devices");
      await checkOpened(button(devices.signOutOthers), "the confirmation to sign out all other devices");
      const one = formatText(devices.signOutName, { name: devices.unknown });
      await checkOpened(button(one), "the confirmation to sign out a device");
      await check("the devices");

      await visitor.open("/setting/never-see");
      await button(neverSee.add).click();
      await expect(page.getByText(t.fields.required, { exact: true })).toBeVisible();
      await check("an empty never-see form");
      await visitor.context.route("**/users/api/never-see", async (route) => {
        if (route.request().method() !== "GET") return route.fallback();
        // A month later.
        const response = await route.fetch();
        const { entries } = (await response.json()) as { entries: object[] };
        for (const entry of entries)
          Object.assign(entry, { removable_at: new Date(0).toISOString(), undo_until: null });
        return route.fulfill({ response, json: { entries } });
      });
      await page.reload();
      await checkOpened(button(neverSee.remove).first(), "the confirmation to remove an entry");

      await visitor.open("/setting/password");
      await button(passwords.change).click();
      await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
      await check("an empty password form");

      await visitor.open("/setting/profile");
      await expect(button(t.profileForm.stopShowing)).toBeVisible();
      await check("the profile with viewers of the clear picture");
      await choosePicture(visitor, mouse);
      await expect(page.getByRole("dialog", { name: t.crop.title })).toBeVisible();
      await check("the crop dialog");
      await page.getByRole("button", { name: t.crop.confirm }).click();
      await expect(page.getByRole("img", { name: t.profileForm.yourPicture })).toHaveAttribute(
        "src",
        /^data:/,
      );
      await check("a new picture with its preview");
      await page.getByRole("button", { name: t.profileForm.savePicture }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.getByLabel(t.profileForm.username, { exact: true }).fill("");
      await button(settings.save).click();
      await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
      await check("the profile with two pictures and an error");
      // A phone shows no menu in an opened setting.
      const settingsLink =
        device === "phone"
          ? page.getByRole("link", { name: settings.back })
          : page.getByRole("navigation", { name: t.shell.menu }).getByRole("link").last();
      await settingsLink.click();
      await expect(page.getByRole("dialog", { name: settings.unsaved })).toBeVisible();
      await check("the warning about unsaved changes");
      await page.getByRole("button", { name: settings.leave }).click();
      await expect(page).toHaveURL(visitor.url("/setting"));

      await page.getByRole("link", { name: settings.deleteAccount }).click();
      const password = page.getByLabel(t.deleteAccount.password, { exact: true });
      await password.fill("not the right one");
      await page.locator("form").getByRole("button", { name: t.deleteAccount.delete }).click();
      await expect(page.getByText(t.deleteAccount.wrongPassword).first()).toBeVisible();
      await check("a wrong password before the deletion");
      await password.fill(hanako.password);
      await checkOpened(
        page.locator("form").getByRole("button", { name: t.deleteAccount.delete }),
        "the confirmation of the deletion",
      );

      await visitor.open("/setting/pin");
      await button(privacy.setPin).click();
      await expect(page.getByText(privacy.pinInvalid).first()).toBeVisible();
      await check("an invalid PIN");
      await visitor.open("/setting/device");
      await page.getByRole("radio", { name: privacy.idle_15 }).check();
      await page.clock.install();
      await visitor.open("/setting/pin");
      await expect(button(privacy.setPin)).toBeVisible();
      await page.clock.fastForward(14 * MINUTE + 1_000);
      await expect(page.getByRole("dialog", { name: privacy.idleWarning })).toBeVisible();
      await check("the warning before an unused session ends");
      await page.getByRole("dialog").getByRole("button", { name: privacy.stay }).click();
      await page.getByLabel(privacy.pin, { exact: true }).fill("2468");
      await page.getByLabel(privacy.pinAgain).fill("2468");
      await button(privacy.setPin).click();
      await checkOpened(button(privacy.removePin), "the request for the PIN");
      await check("a stored PIN");
      await page.reload();
      await page.getByLabel(privacy.pin, { exact: true }).fill("0000");
      await expect(page.getByLabel(privacy.pin)).toHaveAttribute("aria-invalid", "true");
      await check("the lock after a wrong PIN");
    },
  );

  test(
    `has no violations in each state of buying and fees in ${language}`,
    { tag: "@long" },
    async ({ visit, member, paypal }) => {
      const hanako = await member(`money-hanako-${language}`);
      const invited = { invited_by_user_id: hanako.userId };
      await buyYear(paypal, await member(`money-taro-${language}`, invited));
      const visitor = await visit({ language, device, theme });
      visitor.allowError(/status of (404|503)/);
      const { page, t } = visitor;
      const { referral, membership, errors } = t;
      const check = screenCheck(visitor, theme);

      await openAsMember(visitor, hanako, "/upgrade-account");
      await page.getByRole("button", { name: membership.haveCoupon }).click();
      await page.getByLabel(membership.couponCode).fill("GIFT-OF-NOBODY");
      await page.keyboard.press("Tab");
      await expect(page.getByText(errors.coupon_not_found).first()).toBeVisible();
      await check("an unknown coupon");
      await page.getByRole("textbox", { name: membership.month, exact: true }).fill("120");
      const reason = errors.payments_unavailable;
      const json = { code: "payments_unavailable", error_message: reason };
      await page.route("**/create-order", (route) => route.fulfill({ status: 503, json }), { times: 1 });
      await page.getByRole("button", { name: membership.pay }).click();
      await expect(page.getByText(formatText(membership.couldNotInitiate, { reason }))).toBeVisible();
      await check("a payment that could not begin");

      await visitor.open("/brokerage-fee");
      const transfer = page.getByRole("button", {
        name: formatText(referral.transferAmount, {
          amount: formatText(t.ui.money_USD, { amount: "16.00" }),
        }),
        exact: true,
      });
      await transfer.click();
      await expect(page.getByText(t.fields.required, { exact: true }).first()).toBeVisible();
      await check("an empty transfer form");
      await page.getByLabel(referral.email).fill(`${"payee".repeat(8)}@example.com`);
      const password = page.getByLabel(t.deleteAccount.password, { exact: true });
      await password.fill("not the right one");
      await transfer.click();
      await expect(page.getByText(t.deleteAccount.wrongPassword).first()).toBeVisible();
      await check("a wrong password before a transfer");
      await password.fill(hanako.password);
      await transfer.click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await check("the confirmation of a transfer");
    },
  );
}
