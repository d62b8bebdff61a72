import type { Page } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { showClearIcon } from "@alcove/contract/discovery";
import { parseFields } from "@alcove/contract/fields";
import { BLOCKS_MAX, DESCRIPTION_MAX, MESSAGE_MAX, SHORT_TEXT_MAX } from "@alcove/contract/limits";
import { sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser } from "@alcove/contract/safety";
import { match, setPosition } from "../../actions/members.ts";
import { chooseFromMore, chooseInChat } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { MALICIOUS_INPUTS } from "../../fixtures/malicious-inputs.ts";
import { iconFile } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

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

/** Returns all links of the page that lead elsewhere. */
const externalLinks = (page: Page) =>
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
  // The code for markdown is loaded when a text has any.
  await expect.poll(async () => (await externalLinks(page)).map(({ href }) => href)).toEqual(leadsTo);
  const links = await externalLinks(page);
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

// `visit` fails the test when a page sends a request to another site.
test("runs and loads nothing of a member's texts, and links only to the web", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("xss-hanako"),
    member("xss-taro", {
      sex: "male",
      username: USERNAME,
      description: DESCRIPTION,
      purpose: PURPOSE,
      hobby: HOBBY,
      twitter: "https://good.example/t?<script>ran()</script>",
      line: "http://good.example/line#javascript:ran()",
    }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place });
  const { page } = visitor;
  await page.addInitScript(() =>
    Reflect.set(globalThis, "ran", () => Reflect.set(globalThis, "hasRun", true)),
  );
  const cardLinks = ["https://good.example/a", "https://good.example/b"];
  const profileLinks = [
    ...cardLinks,
    "https://good.example/t?%3Cscript%3Eran()%3C/script%3E",
    "http://good.example/line#javascript:ran()",
  ];

  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("heading", { name: USERNAME })).toBeVisible();
  await expect(page.getByText(PURPOSE)).toBeVisible();
  await expectHarmless(page, cardLinks);
  await visitor.open(`/home/${taro.userId}`);
  await expect(page).toHaveTitle(`${USERNAME} ${taro.userId}`);
  await expect(page.getByText(HOBBY)).toBeVisible();
  await expectHarmless(page, cardLinks);

  await match(taro, hanako);
  await visitor.open(`/home/${taro.userId}`);
  await expect(page.getByText(HOBBY)).toBeVisible();
  await expectHarmless(page, profileLinks);
  await visitor.open("/dm");
  await expect(page.getByRole("link", { name: USERNAME })).toBeVisible();
  await expectHarmless(page, []);
  await taro.call(sendDm, { receiverId: hanako.userId, description: MESSAGE });
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

type Change = Parameters<typeof parseFields<typeof saveProfile.input>>[1];
const isAccepted = (fields: Change) => parseFields(saveProfile.input, fields).ok;

const ACCEPTED = MALICIOUS_INPUTS.filter((hobby) => isAccepted({ hobby }));
const NAMES = MALICIOUS_INPUTS.filter((username) => isAccepted({ username }));

/** Joins the values to as few texts as possible, each value on its own lines. `fits` is the limit of a text. */
function pack(values: readonly string[], fits: (text: string) => boolean): string[] {
  const texts: string[] = [];
  for (const value of values) {
    const last = texts.at(-1);
    const longer = last === undefined ? value : `${last}\n\n${value}`;
    if (last !== undefined && fits(longer)) texts[texts.length - 1] = longer;
    else texts.push(value);
  }
  return texts;
}

/** Records scripts that run and dialogs that open. */
async function recordAttacks({ page }: Visitor): Promise<string[]> {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(() =>
    Reflect.set(globalThis, "ran", () => Reflect.set(globalThis, "hasRun", true)),
  );
  return dialogs;
}

/** Returns everything on the page that a member's text must never become. */
const harmIn = (page: Page) =>
  page.evaluate(() => {
    const harm: string[] = [];
    if (Reflect.has(globalThis, "hasRun")) harm.push("a script ran");
    if (
      document.querySelector("main :is(script, iframe, frame, object, embed, base, meta, link, style, math)")
    )
      harm.push("an element of another kind");
    if (document.querySelectorAll("base, iframe, object, embed").length > 0) harm.push("a frame");
    for (const element of document.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        const address = value.replaceAll(/[\s\p{Cc}]/gu, "").toLowerCase();
        if (name.startsWith("on")) harm.push(`${element.tagName} ${name}`);
        if (["href", "src", "action", "formaction", "xlink:href", "data", "srcdoc", "poster"].includes(name))
          if (/^(javascript|vbscript|data|file|intent):/.test(address)) harm.push(`${name}=${value}`);
      }
      if (
        element instanceof HTMLAnchorElement &&
        element.origin !== location.origin &&
        element.protocol !== "mailto:"
      ) {
        const isSafe = element.target === "_blank" && /noopener noreferrer nofollow/.test(element.rel);
        if (
          !isSafe ||
          !["http:", "https:"].includes(element.protocol) ||
          element.username ||
          element.password
        )
          harm.push(`leads to ${element.href}`);
      }
      if (
        element instanceof HTMLImageElement &&
        !["blob:", location.protocol].includes(new URL(element.src).protocol)
      )
        harm.push(`shows ${element.src}`);
    }
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) harm.push(`${wide} px too wide`);
    return harm;
  });

test(
  "shows all malicious inputs as text in every field and on every screen",
  { tag: "@long" },
  async ({ visit, member, place }) => {
    test.slow();
    const hanako = await member("inputs-hanako", { isPaid: true });
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, i) => member(`inputs-${i}`, { sex: "male" })),
    );
    const descriptions = pack(ACCEPTED, (description) => isAccepted({ description }));
    const shorts = pack(ACCEPTED, ({ length }) => length <= SHORT_TEXT_MAX);
    const messages = pack(ACCEPTED, ({ length }) => length <= MESSAGE_MAX);
    const textsOf = (i: number) => ({
      username: NAMES[i % NAMES.length]!,
      description: descriptions[i % descriptions.length]!,
      purpose: shorts[i % shorts.length]!,
      hobby: shorts[(i + 1) % shorts.length]!,
      twitter: 'https://good.example/"onclick=ran()',
      facebook: "https://good.example/<script>ran()</script>",
    });
    await Promise.all(others.map((member, i) => member.call(saveProfile, textsOf(i))));
    await hanako.call(saveProfile, textsOf(8));
    const [unmatched, late, ...matched] = others as [
      (typeof others)[0],
      (typeof others)[0],
      ...typeof others,
    ];
    await setPosition(place, hanako, unmatched);
    for (const other of matched) {
      await match(other, hanako);
    }
    const visitor = await visit({ at: place });
    visitor.allowError(/status of 40[04]/);
    const { page, t } = visitor;
    const dialogs = await recordAttacks(visitor);
    const expectText = async (what: string, text: string) => {
      await expect(page.locator("body"), what).toContainText(text.replaceAll(/\s+/g, " "), {
        ignoreCase: false,
      });
      expect(await harmIn(page), what).toEqual([]);
      expect(dialogs, what).toEqual([]);
    };
    const nameOf = async (member: typeof hanako) => (await member.call(getOwnUser, {})).user.username;

    await openAsMember(visitor, hanako, "");
    await expectText("the card", await nameOf(unmatched));
    await visitor.open("/dm");
    await expectText("new matches", t.messages.newMatches);
    for (const other of matched)
      for (const description of [...messages, ...NAMES.slice(0, 4)])
        await other.call(sendDm, { receiverId: hanako.userId, description });
    for (const description of messages)
      await hanako.call(sendDm, { receiverId: matched[0]!.userId, description });
    // The remaining names, as many at a time as the list has members.
    for (let first = 0; first < NAMES.length; first += matched.length) {
      const names = NAMES.slice(first, first + matched.length);
      await Promise.all(names.map((username, i) => matched[i]!.call(saveProfile, { username })));
      await visitor.open("/dm");
      await expectText("the list", await nameOf(matched[0]!));
    }
    await visitor.open(`/dm/${matched[0]!.userId}`);
    await expect(page.getByRole("log").locator("p")).toHaveCount(2 * messages.length + 4);
    await expectText("a conversation", await nameOf(matched[0]!));

    for (const [i, member] of [unmatched, ...matched].entries()) {
      if (i < Math.max(descriptions.length, shorts.length)) {
        await visitor.open(`/home/${member.userId}`);
        await expect(page).toHaveTitle(`${await nameOf(member)} ${member.userId}`.replaceAll(/\s+/g, " "));
        await expectText("a profile", await nameOf(member));
      }
    }
    await visitor.open(`/home/${matched.at(-1)!.userId}`);
    await chooseFromMore(visitor, "block");
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectText("the confirmation of a block", await nameOf(matched.at(-1)!));
    await page.keyboard.press("Escape");
    await chooseFromMore(visitor, "report");
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectText("the report from a profile", await nameOf(matched.at(-1)!));
    await visitor.open(`/dm/${matched[0]!.userId}`);
    await expect(page.getByRole("log").locator("p")).toHaveCount(2 * messages.length + 4);
    await chooseInChat(visitor, t.chat.report);
    await expect(page.getByRole("dialog").getByRole("option")).toHaveCount(messages.length + 5);
    await expectText("the report from a chat", await nameOf(matched[0]!));
    const icon = iconFile();
    await hanako.call(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
    await hanako.call(showClearIcon, { userId: matched[0]!.userId });
    await visitor.open(`/home/${matched[1]!.userId}`);
    await page.getByRole("article").getByRole("button").last().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectText("the confirmation to show a clear picture", await nameOf(matched[1]!));
    await visitor.open("/setting/profile");
    await expect(page.getByRole("button", { name: t.profileForm.stopShowing })).toBeVisible();
    await expectText("the viewers of the clear picture", await nameOf(matched[0]!));
    await Promise.all(matched.slice(2).map(({ userId }) => hanako.call(blockUser, { userId })));
    await visitor.open("/setting/blocks");
    await expect(page.getByRole("main").getByRole("listitem")).not.toHaveCount(0);
    await expectText("the list of blocks", await nameOf(matched[2]!));

    await visitor.open("/setting/profile");
    const { user } = await hanako.call(getOwnUser, {});
    for (const field of ["username", "description", "purpose", "hobby", "twitter", "facebook"] as const)
      await expect(page.locator(`[name=${field}]`)).toHaveValue(
        user[field]!.replaceAll(/\n/g, field === "description" ? "\n" : ""),
      );
    expect(await harmIn(page), "the own profile").toEqual([]);
    await match(hanako, late);
    await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible();
    await expectText("the notice of a match", await nameOf(late));
  },
);

test("runs nothing from a URL", { tag: "@long" }, async ({ visit, member }) => {
  test.slow();
  const hanako = await member("inputs-address");
  const visitor = await visit();
  visitor.allowError(/status of 40[04]/);
  const { page, t } = visitor;
  const dialogs = await recordAttacks(visitor);
  const visitAll = async (paths: (value: string) => string[]) => {
    for (const value of MALICIOUS_INPUTS) {
      for (const path of paths(encodeURIComponent(value.toWellFormed()))) {
        // Navigates within the app.
        await page.evaluate((to) => {
          history.pushState(null, "", to);
          dispatchEvent(new PopStateEvent("popstate"));
        }, path);
        await expect(page.locator("main"), path).toBeVisible();
        expect(await harmIn(page), path).toEqual([]);
      }
    }
    expect(dialogs).toEqual([]);
  };

  await visitor.open("/login");
  // Client-side navigation needs hydration.
  await page.getByRole("button", { name: t.ui.showPassword }).click();
  await expect(page.getByRole("button", { name: t.ui.hidePassword })).toBeVisible();
  await visitAll((value) => [
    `/en/login?next=${value}`,
    `/en/sign-up?invited_by=${value}&${value}=${value}`,
    `/${value}/login#${value}`,
  ]);
  await openAsMember(visitor, hanako, "/setting");
  await visitAll((value) => [`/en/home/${value}`, `/en/dm/${value}?${value}`]);
});

test(
  "keeps the layout when a text is long, nested, stacked or right-to-left",
  { tag: "@long" },
  async ({ visit, member }) => {
    const nested = Array.from({ length: 400 }, (_, i) => ["> ", "- ", "1. ", "* "][i % 4]).join("");
    const descriptions = [
      "W".repeat(DESCRIPTION_MAX),
      `${">".repeat(4_000)} quote`,
      `${"- ".repeat(2_000)}list`,
      `${nested}mixed`,
      `${"1. ".repeat(1_500)}numbers`,
      Array.from({ length: BLOCKS_MAX }, (_, i) => `${" ".repeat(i)}- deep`).join("\n"),
      `${"*a _b ".repeat(400)}${"b_ a* ".repeat(400)}`,
      `${"*".repeat(2_000)}stars${"*".repeat(2_000)}`,
      `${"[".repeat(2_000)}brackets${"](x)".repeat(700)}`,
      `Z${"\u0335\u0321\u034D\u0316".repeat(1_200)}`,
      "\u05D0\u05D1 \u200F".repeat(1_000),
      "999999999. number",
      "# one\n###### six\n\nunder\n===",
      "```\n" + "code ".repeat(900),
    ];
    const [hanako, taro] = await Promise.all([
      member("layout-hanako"),
      member("layout-taro", { sex: "male", username: "W".repeat(50) }),
    ]);
    const visitor = await visit({ device: "phone" });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "/setting");

    for (const description of descriptions) {
      await taro.call(saveProfile, { description, hobby: "W".repeat(SHORT_TEXT_MAX) });
      await visitor.open(`/home/${taro.userId}`);
      await expect(page.getByRole("button", { name: t.home.more })).toBeVisible();
      expect(await harmIn(page), description.slice(0, 20)).toEqual([]);
      expect(await page.getByRole("heading").count()).toBe(1);
      // No word is lost.
      const [word] = /(?:quote|list|mixed|numbers|deep|stars|brackets|six|code)/.exec(description) ?? [""];
      await expect(page.getByRole("article")).toContainText(word);
    }
  },
);
