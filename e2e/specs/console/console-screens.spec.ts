import type { Browser, Page } from "@playwright/test";
import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { checkAccessibility, enlargeText, expectNothingCutOff } from "../../actions/a11y-checks.ts";
import { addAuthenticator, enrolOperator, linkOfOperator } from "../../actions/console.ts";
import { type Fixtures, expect, test } from "../../fixtures/test.ts";

const SCREENS = [
  "cases",
  "pictures",
  "help",
  "age-checks",
  "corrections",
  "mailboxes",
  "member",
  "coupons",
  "payments",
  "statistics",
  "approvals",
  "log",
  "passkeys",
] as const;

/** A report with a message, and a coupon. */
async function fillQueue(
  { member, place, runOperator }: Pick<Fixtures, "member" | "place" | "runOperator">,
  name: string,
): Promise<void> {
  const hanako = await member(`${name}-hanako`, { sex: "female", at: place });
  const taro = await member(`${name}-taro`, { sex: "male", at: place });
  await hanako.call(likeUser, { likedId: taro.userId });
  await taro.call(likeUser, { likedId: hanako.userId });
  const { dm } = await taro.call(sendDm, { receiverId: hanako.userId, description: "Reply, now!" });
  await hanako.call(reportUser, {
    userId: taro.userId,
    reason: "harassment",
    detail: "He goes on and on.",
    dmId: dm.id,
  });
  const plan = ["--year", "0", "--month", "3", "--max-uses", "2", "--expires-at", "2031-01-01T00:00:00Z"];
  await runOperator("coupons", "create", "--id", `WELCOME-${name}`.toUpperCase(), ...plan);
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
  return context.newPage();
}

for (const language of ["en", "ja"]) {
  test(
    `has no violation and nothing cut off on any screen in ${language}, in both themes, at 320 px and at 200 %`,
    { tag: language === "en" ? [] : ["@long"] },
    async ({ browser, server, member, place, runOperator }) => {
      test.slow(); // dozens of checks
      const name = `axe-${language}`;
      await fillQueue({ member, place, runOperator }, name);
      const { consoleUrl, link } = await linkOfOperator(server, runOperator, `Suzuki ${language}`);
      const page = await openPage(browser);
      const viewer = { page, context: page.context() };
      await enrolOperator(page, link);
      await page
        .getByRole("link", { name: /^Open: Harassment/ })
        .first()
        .click();
      await expect(page.getByText("Reply, now!")).toBeVisible();
      const caseUrl = new URL(page.url()).pathname.replace(/^\/en/, "");
      const check = async (screen: string) => {
        await checkAccessibility(viewer, screen);
        const restore = await enlargeText(viewer);
        await expectNothingCutOff(viewer, `${screen} at 320 px and 200 %`);
        await restore();
      };

      for (const path of [...SCREENS.map((screen) => `/${screen}`), caseUrl, "/login?ended", "/enrol#-"]) {
        await page.goto(`${consoleUrl}/${language}${path}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await check(`${language}${path}`);
      }

      await page.goto(`${consoleUrl}/${language}/log`);
      const opened = language === "ja" ? "案件を開く" : "Open a case";
      await expect(page.getByRole("cell", { name: new RegExp(`^${opened} \\d+$`) }).first()).toBeVisible();

      await page.goto(`${consoleUrl}/en/member`);
      await page.getByRole("textbox", { name: "User ID" }).fill(`${name}-taro`);
      await page.getByLabel("Reason of the look").fill("A question by email");
      await page.getByRole("button", { name: "Look up" }).click();
      await expect(page.getByRole("heading", { name: "Account" })).toBeVisible();
      await check("a member");
      await page.context().close();
    },
  );
}

test("an operator decides a case by the keyboard alone", async ({
  browser,
  server,
  member,
  place,
  runOperator,
}) => {
  await fillQueue({ member, place, runOperator }, "case-keys");
  const { link } = await linkOfOperator(server, runOperator, "Tanaka");
  const page = await openPage(browser);
  await enrolOperator(page, link);
  /** Presses Tab until the element has a visible focus. */
  const reach = async (name: RegExp | string, role: Parameters<Page["getByRole"]>[0]) => {
    const target = page.getByRole(role, { name }).first();
    for (let i = 0; i < 60; i++) {
      if (await target.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused();
    expect(await target.evaluate((element) => element.matches(":focus-visible"))).toBe(true);
  };

  const queue = page.getByRole("link", { name: /^Open: Harassment/ });
  await reach(/^Open: Harassment/, "link");
  const before = await queue.count();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await reach("Decision", "combobox");
  await expect(page.getByRole("combobox", { name: "Decision" })).toHaveValue("");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("combobox", { name: "Decision" })).toHaveValue("none");
  await reach("Reason", "textbox");
  await page.keyboard.type("Only impatient.");
  await reach("Close the case", "button");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Cases" })).toBeFocused();
  await expect(queue).toHaveCount(before - 1);

  await reach("Log", "link");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Only impatient.")).toBeVisible();
  await reach("Log out", "button");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Log in with a passkey" })).toBeVisible();
  await page.context().close();
});

test(
  "an operator registers a spare passkey on another key, and removes the first with it",
  { tag: "@long" },
  async ({ browser, server, runOperator }) => {
    const { link } = await linkOfOperator(server, runOperator, "Watanabe");
    const page = await openPage(browser);
    const { devtools, device } = await enrolOperator(page, link);
    await page.getByRole("link", { name: "Passkeys" }).click();
    await expect(page.getByText("This is your only passkey.")).toBeVisible();

    await page.getByRole("button", { name: "Confirm and add" }).click();
    await expect(page.getByLabel("Link for another device")).toHaveValue(/\/enrol#[\w-]{43}$/);
    await page.getByRole("link", { name: "Register in this browser" }).click();
    await page.getByRole("button", { name: "Register a passkey" }).click();
    await expect(page.getByText("This device has a passkey of yours already.")).toBeVisible();
    await device.touch(false);
    await addAuthenticator(devtools, "usb");
    await page.getByRole("button", { name: "Register a passkey" }).click();
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await expect(page.getByRole("heading", { name: "Cases", exact: true })).toBeFocused();

    await page.getByRole("link", { name: "Passkeys" }).click();
    const first = page.getByRole("row", { name: /Phone or computer/ });
    await first.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Confirm with another passkey and remove" }).click();
    await expect(page.getByText("This is your only passkey.")).toBeVisible();
    await expect(page.getByRole("row", { name: /Security key/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove" })).toHaveCount(0);
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await expect(page.getByRole("row", { name: /Watanabe passkeys remove/ })).toBeVisible();
    await page.context().close();
  },
);
