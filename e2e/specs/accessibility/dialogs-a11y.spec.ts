import { likeUser } from "@alcove/contract/discovery";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { mouse } from "../../actions/input-method.ts";
import { setPosition } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { walkSignUp } from "../../actions/walk-sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

const VARIANTS = [
  { language: "ja", theme: "dark" },
  { language: "en", theme: "light" },
] as const;

for (const { language, theme } of VARIANTS) {
  const options = { language, theme, device: "phone" } as const;

  test(`has no violations in the sign-up, valid and invalid, in ${language}, ${theme}`, async ({
    visit,
    mailbox,
  }) => {
    const visitor = await visit(options);
    await walkSignUp(visitor, mailbox, `layers-${language}`, (screen) =>
      checkAccessibility(visitor, screen, [theme]),
    );
  });

  test(`has no violations in dialogs over member screens in ${language}, ${theme}`, async ({
    visit,
    member,
    place,
  }) => {
    const [hanako, jiro, taro] = await Promise.all([
      member(`layers-hanako-${language}`),
      member(`layers-jiro-${language}`, { sex: "male" }),
      member(`layers-taro-${language}`, { sex: "male", username: "Taro" }),
    ]);
    await setPosition(place, taro);
    const visitor = await visit({ ...options, at: place });
    visitor.allowError(/status of 40[24]/);
    const { page, t } = visitor;
    const check = (what: string) => checkAccessibility(visitor, what, [theme]);
    await openAsMember(visitor, hanako, "");
    await expect(page.getByRole("dialog", { name: t.location.title })).toBeVisible();
    await check("the request for the position");
    await sharePosition(visitor, mouse);
    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();

    // Another device uses the card of the day.
    await hanako.call(likeUser, { likedId: jiro.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    const modal = page.getByRole("dialog", { name: t.errors.upgrade_required });
    await expect(modal).toBeVisible();
    await check("the upgrade modal");
    await page.keyboard.press("Escape");
    await expect(modal).toBeHidden();

    await jiro.call(likeUser, { likedId: hanako.userId });
    const notice = page.getByRole("dialog", { name: t.matchNotice.title });
    await expect(notice).toBeVisible();
    await check("the notice of a match");
    await notice.getByRole("button", { name: t.matchNotice.keepLooking }).click();

    await visitor.open(`/home/${taro.userId}`);
    await page.getByRole("button", { name: t.profile.enlarge }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("the enlarged picture");
    await page.keyboard.press("Escape");
    await chooseFromMore(visitor, "block");
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("the confirmation of a block");
    await page.keyboard.press("Escape");

    await visitor.open("/setting");
    await page.getByRole("button", { name: t.settings.logout }).click();
    await expect(page.getByRole("dialog", { name: t.settings.confirmLogout })).toBeVisible();
    await check("the confirmation of a logout");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(page.getByRole("dialog", { name: t.shell.language })).toBeVisible();
    await check("the languages");
    await page.getByRole("button", { name: t.ui.close }).click(); // a second Esc would hide the screen
    await page.getByRole("button", { name: t.shell.hide }).click();
    await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
    await check("the privacy screen");
    await page.getByRole("button", { name: t.privacyScreen.back }).click();

    await visitor.open("/no-such-corner");
    await expect(page.getByRole("heading", { name: t.errorScreen.notFound })).toBeVisible();
    await check("a page that does not exist");
  });

  test(`has no violations on the error screen, which loads again, in ${language}, ${theme}`, async ({
    visit,
    member,
  }) => {
    const hanako = await member(`fault-${language}`);
    const visitor = await visit(options);
    visitor.allowError(/status of 500|ApiError: /);
    const { page, t } = visitor;
    await visitor.context.route("**/users/api/blocks", (route) =>
      route.fulfill({ status: 500, json: { code: "fault", error_message: t.errors.fault } }),
    );

    await openAsMember(visitor, hanako, "/setting/blocks");

    await expect(page.getByRole("heading", { name: t.errorScreen.title })).toBeVisible();
    await expect(page.getByText(`500 · ${t.errors.fault}`)).toBeVisible();
    await checkAccessibility(visitor, "the error screen", [theme]);
    await visitor.context.unrouteAll();
    await page.getByRole("button", { name: t.errorScreen.again }).click();
    await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  });
}
