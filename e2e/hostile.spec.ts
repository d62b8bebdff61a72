import type { Page } from "@playwright/test";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp } from "@alcove/sandbox/client";
import { personOf } from "@alcove/sandbox/people";
import { enter } from "./entering.ts";
import { expect, test } from "./stage.ts";

const ADAK = [-176.63, 51.87] as const;

const USERNAME = `<img src=x onerror=ran()>"'&{{7*7}}`;
const PURPOSE = `"><script>ran()</script><svg onload=ran()>`;
const HOBBY = "javascript:ran()//<b>https://hobby.example/</b>";
const DESCRIPTION = [
  "<script>ran()</script>",
  "<img src=https://evil.example/raw.png onerror=ran()>",
  "![picture](https://evil.example/markdown.png)",
  '![titled](https://evil.example/titled.png "onerror=ran()")',
  "[script](javascript:ran())",
  "[spelled](JaVa&#115;cript&colon;ran())",
  "[data](data:text/html;base64,PHNjcmlwdD5yYW4oKTwvc2NyaXB0Pg==)",
  "[old](vbscript:ran())",
  "[file](file:///etc/passwd)",
  "[host](//evil.example/)",
  "[path](/en/setting)",
  "[anchor](#main)",
  "[mail](mailto:a@example.com)",
  "<javascript:ran()>",
  "[image link ![inner](https://evil.example/inner.png)](https://good.example/a)",
  "[good](https://good.example/b)",
  "<iframe srcdoc='<script>parent.ran()</script>'></iframe>",
  "[reference][r]\n\n[r]: javascript:ran()",
  "<a href=javascript:ran() onclick=ran()>raw</a>",
  "<style>body{background:url(https://evil.example/style.png)}</style>",
  "`<script>ran()</script>`",
].join("\n\n");
const MESSAGE = [
  "<img src=https://evil.example/message.png onerror=ran()>",
  "javascript:ran()",
  "https://good.example/c\"onmouseover='ran()'",
  "data:text/html,<script>ran()</script>",
  "http://good.example/d.",
  "HTTPS://user:secret@good.example/e",
  "![picture](https://good.example/f.png)",
].join("\n");

/** The links of the page that lead away from it, and how. */
const linksAway = (page: Page) =>
  page
    .locator("main")
    .evaluate((main) =>
      Array.from(main.querySelectorAll("a"), ({ href, target, rel }) => ({ href, target, rel })).filter(
        ({ href }) => !href.startsWith(`${location.origin}/`) || href.includes("#"),
      ),
    );

async function expectHarmless(page: Page, leadsTo: readonly string[]): Promise<void> {
  expect(await page.evaluate(() => Reflect.has(globalThis, "hasRun"))).toBe(false);
  expect(await page.locator("main :is(script, iframe, style, object, embed)").count()).toBe(0);
  const links = await linksAway(page);
  expect(links.map(({ href }) => href)).toEqual(leadsTo);
  for (const { target, rel } of links)
    expect({ target, rel: rel.split(" ") }).toEqual({
      target: "_blank",
      rel: expect.arrayContaining(["noreferrer", "noopener"]),
    });
  const pictures = await page
    .locator("main img")
    .evaluateAll((images) => images.map((image) => new URL((image as HTMLImageElement).src).origin));
  expect(new Set([...pictures, new URL(page.url()).origin]).size).toBe(1);
}

// That no other site is asked for anything is looked at on every page: `visit` fails the test.
test("nothing of what a member writes runs, loads, or leads anywhere but to the web", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("hostile-hanako")),
    signUp(
      server.url,
      mailbox,
      personOf("hostile-taro", {
        sex: "male",
        username: USERNAME,
        description: DESCRIPTION,
        purpose: PURPOSE,
        hobby: HOBBY,
        twitter: "https://good.example/t?<script>ran()</script>",
        line: "http://good.example/line#javascript:ran()",
      }),
    ),
  ]);
  for (const member of [hanako, taro]) await member.ask(saveLocation, { location: ADAK.join(",") });
  const visitor = await visit({ at: ADAK });
  const { page } = visitor;
  await page.addInitScript(() =>
    Reflect.set(globalThis, "ran", () => Reflect.set(globalThis, "hasRun", true)),
  );
  const ofProfile = [
    "https://good.example/a",
    "https://good.example/b",
    "https://good.example/t?%3Cscript%3Eran()%3C/script%3E",
    "http://good.example/line#javascript:ran()",
  ];

  await enter(visitor, hanako, "");
  await expect(page.getByRole("heading", { name: USERNAME })).toBeVisible();
  await expect(page.getByText(PURPOSE)).toBeVisible();
  await expectHarmless(page, ofProfile);
  await visitor.open(`/home/${taro.userId}`);
  await expect(page).toHaveTitle(`${USERNAME} ${taro.userId}`);
  await expect(page.getByText(HOBBY)).toBeVisible();
  await expectHarmless(page, ofProfile);

  await taro.ask(likeUser, { likedId: hanako.userId });
  await hanako.ask(likeUser, { likedId: taro.userId });
  await visitor.open("/dm");
  await expect(page.getByRole("link", { name: USERNAME })).toBeVisible();
  await expectHarmless(page, []);
  await taro.ask(sendDm, { receiverId: hanako.userId, description: MESSAGE });
  await visitor.open("/dm");
  await expect(page.getByText("onerror=ran()").first()).toBeVisible();
  await expectHarmless(page, []);
  await visitor.open(`/dm/${taro.userId}`);
  await expect(page.getByRole("log")).toContainText("data:text/html,<script>");
  await expectHarmless(page, [
    "https://evil.example/message.png",
    "https://good.example/c",
    "http://good.example/d",
    "https://good.example/f.png",
  ]);
});
