import { expect } from "@playwright/test";
import { getDms } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { enrolOperator } from "../actions/console.ts";
import { showFonts } from "./capture.ts";
import type { Stage } from "./stage.ts";

const SCREENS = ["coupons", "payments", "log", "passkeys"];

/** The screens of operators, with a report of the member and a coupon. */
export async function operatorConsole(stage: Stage): Promise<void> {
  const { visitor, member, matched, theme, consoleUrl, runOperator, shoot } = stage;
  const { language } = visitor;
  const [, reported = ""] = matched;
  const { dms } = await member.call(getDms, { friendId: reported });
  const dm = dms.find(({ sender }) => sender.user_id === reported)!;
  const detail = language === "ja" ? "断っても何度も誘ってきます。" : "Keeps asking after I said no.";
  await member.call(reportUser, { userId: reported, reason: "harassment", detail, dmId: dm.id });
  const coupon = ["--id", `WELCOME-${member.userId}`.toUpperCase(), "--month", "3", "--max-uses", "2"];
  await runOperator("coupons", "create", ...coupon, "--expires-at", "2031-01-01T00:00:00Z");
  const added = await runOperator("operators", "add", language === "ja" ? "鈴木" : "Suzuki");
  const [, token = ""] = /#(\S+)/.exec(added) ?? [];

  const context = await visitor.context.browser()!.newContext({
    locale: "en-US",
    viewport: visitor.page.viewportSize(),
    colorScheme: theme,
  });
  await showFonts(context);
  const page = await context.newPage();
  const open = async (path: string) => {
    await page.goto(`${consoleUrl}/${language}/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  };
  await open(`enrol#${token}`);
  await shoot("console-enrol", page);
  await enrolOperator(page, `${consoleUrl}/enrol#${token}`);
  await open("cases");
  await shoot("console-cases", page);
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page.getByText(dm.description!)).toBeVisible();
  await shoot("console-case", page);
  await open("member");
  await page.getByRole("textbox").first().fill(reported);
  await page.getByRole("textbox").nth(1).fill("A question by email");
  await page.getByRole("main").getByRole("button").first().click();
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await shoot("console-member", page);
  for (const screen of SCREENS) {
    await open(screen);
    await shoot(`console-${screen}`, page);
  }
  await open("login?ended");
  await shoot("console-login", page);
  await context.close();
}
