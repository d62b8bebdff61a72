import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows the real host before it opens an external link, and sends no referrer", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await Promise.all([
    member("links-hanako"),
    member("links-taro", {
      sex: "male",
      description: "[https://good.example](https://\u0430pple.example/x) and [b](http://b.example:81/)",
    }),
  ]);
  const visitor = await visit();
  visitor.allowError(/^requested https:\/\/xn--pple-43d\.example/);
  const { page, t, context } = visitor;
  const referrers: (string | undefined)[] = [];
  await context.route("https://xn--pple-43d.example/**", (route) => {
    referrers.push(route.request().headers()["referer"]);
    return route.fulfill({ contentType: "text/html", body: "<title>there</title>" });
  });
  await openAsMember(visitor, hanako, `/home/${taro.userId}`);
  const link = page.getByRole("link", { name: "https://good.example" });
  const question = page.getByRole("dialog");
  const textFor = (host: string) => formatText(t.externalLink.text, { brand: "Alcove", host });

  await link.click();
  await expect(question).toContainText(textFor("xn--pple-43d.example"));
  await checkAccessibility(visitor, "the warning before an external link");
  await question.getByRole("button", { name: t.externalLink.stay }).click();
  await expect(question).toBeHidden();
  await expect(link).toBeFocused();
  await page.getByRole("link", { name: "b", exact: true }).click({ button: "middle" });
  await expect(question).toContainText(textFor("b.example:81"));
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  expect(context.pages()).toHaveLength(1);

  await link.focus();
  await page.keyboard.press("Enter");
  const opening = context.waitForEvent("page");
  await question.getByRole("link", { name: t.externalLink.open }).click();
  const opened = await opening;
  await expect(opened).toHaveTitle("there");
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(["", null]);
  expect(referrers).toEqual([undefined]);
  await expect(question).toBeHidden();
});
