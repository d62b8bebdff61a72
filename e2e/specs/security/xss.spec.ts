import type { Page } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { likeUser, saveLocation, showClearIcon } from "@alcove/contract/discovery";
import { parseFields } from "@alcove/contract/fields";
import { DESCRIPTION_MAX, MESSAGE_MAX, SHORT_TEXT_MAX } from "@alcove/contract/limits";
import { sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser } from "@alcove/contract/safety";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { MALICIOUS_INPUTS } from "../../fixtures/malicious-inputs.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

// One member meets many in a day.
test.use({ freeCards: "100" });

const ADAK = [-176.63, 51.87] as const;
const SAIPAN = [145.75, 15.19] as const;

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

  await openAsMember(visitor, hanako, "");
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

type Change = Parameters<typeof parseFields<typeof saveProfile.input>>[1];
const isTaken = (fields: Change) => parseFields(saveProfile.input, fields).ok;

const TAKEN = MALICIOUS_INPUTS.filter((hobby) => isTaken({ hobby }));
const REFUSED = MALICIOUS_INPUTS.filter((hobby) => !isTaken({ hobby }));
const NAMES = MALICIOUS_INPUTS.filter((username) => isTaken({ username }));

/** The corpus in as few texts as fit, each value on lines of its own. */
function packed(values: readonly string[], most: number): string[] {
  const texts: string[] = [];
  for (const value of values) {
    const last = texts.at(-1);
    const longer = last === undefined ? value : `${last}\n\n${value}`;
    if (last !== undefined && longer.length <= most) texts[texts.length - 1] = longer;
    else texts.push(value);
  }
  return texts;
}

/** Lets the page note a script of the corpus that runs, and a dialog that opens. */
async function listen({ page }: Visitor): Promise<string[]> {
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

/** What is on the page that a member's text must never become. */
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

test("the whole corpus is text in every field and on every screen", async ({ visit, mailbox, server }) => {
  test.slow();
  const hanako = await signUp(server.url, mailbox, personOf("corpus-hanako"));
  const others = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      signUp(server.url, mailbox, personOf(`corpus-${i}`, { sex: "male" })),
    ),
  );
  const [descriptions, shorts, messages] = [DESCRIPTION_MAX, SHORT_TEXT_MAX, MESSAGE_MAX].map((most) =>
    packed(TAKEN, most),
  ) as [string[], string[], string[]];
  const textsOf = (i: number) => ({
    username: NAMES[i % NAMES.length]!,
    description: descriptions[i % descriptions.length]!,
    purpose: shorts[i % shorts.length]!,
    hobby: shorts[(i + 1) % shorts.length]!,
    twitter: 'https://good.example/"onclick=ran()',
    facebook: "https://good.example/<script>ran()</script>",
  });
  await Promise.all(others.map((member, i) => member.ask(saveProfile, textsOf(i))));
  await hanako.ask(saveProfile, textsOf(8));
  for (const value of REFUSED)
    for (const field of ["username", "description", "purpose", "hobby"])
      await expect(hanako.ask(saveProfile, { [field]: value }), field).rejects.toMatchObject({ status: 400 });
  const [stranger, late, ...friends] = others as [(typeof others)[0], (typeof others)[0], ...typeof others];
  await Promise.all(
    [hanako, stranger].map((member) => member.ask(saveLocation, { location: SAIPAN.join(",") })),
  );
  for (const friend of friends) {
    await friend.ask(likeUser, { likedId: hanako.userId });
    await hanako.ask(likeUser, { likedId: friend.userId });
  }
  const visitor = await visit({ at: SAIPAN });
  visitor.allowError(/status of 40[04]/);
  const { page, t } = visitor;
  const dialogs = await listen(visitor);
  const expectText = async (what: string, text: string) => {
    await expect(page.locator("body"), what).toContainText(text.replaceAll(/\s+/g, " "), {
      ignoreCase: false,
    });
    expect(await harmIn(page), what).toEqual([]);
    expect(dialogs, what).toEqual([]);
  };
  const nameOf = async (member: typeof hanako) => (await member.ask(getOwnUser, {})).user.username;

  await openAsMember(visitor, hanako, "");
  await expectText("the card", await nameOf(stranger));
  await visitor.open("/dm");
  await expectText("new matches", t.messages.newMatches);
  for (const friend of friends)
    for (const description of [...messages, ...NAMES.slice(0, 4)])
      await friend.ask(sendDm, { receiverId: hanako.userId, description });
  for (const description of messages)
    await hanako.ask(sendDm, { receiverId: friends[0]!.userId, description });
  // The names that are left go round among those of the list.
  for (let first = 0; first < NAMES.length; first += friends.length) {
    const names = NAMES.slice(first, first + friends.length);
    await Promise.all(names.map((username, i) => friends[i]!.ask(saveProfile, { username })));
    await visitor.open("/dm");
    await expectText("the list", await nameOf(friends[0]!));
  }
  await visitor.open(`/dm/${friends[0]!.userId}`);
  await expect(page.getByRole("log").locator("p")).toHaveCount(2 * messages.length + 4);
  await expectText("a conversation", await nameOf(friends[0]!));

  for (const [i, member] of [stranger, ...friends].entries()) {
    if (i < Math.max(descriptions.length, shorts.length)) {
      await visitor.open(`/home/${member.userId}`);
      await expect(page).toHaveTitle(`${await nameOf(member)} ${member.userId}`.replaceAll(/\s+/g, " "));
      await expectText("a profile", await nameOf(member));
    }
  }
  await page.getByRole("button", { name: t.profile.block }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectText("the question before a block", await nameOf(friends.at(-1)!));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: t.profile.report }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectText("the report from a profile", await nameOf(friends.at(-1)!));
  await visitor.open(`/dm/${friends[0]!.userId}`);
  await expect(page.getByRole("log").locator("p")).toHaveCount(2 * messages.length + 4);
  await page.getByRole("button", { name: t.chat.report, exact: true }).click();
  await expect(page.getByRole("dialog").getByRole("option")).toHaveCount(messages.length + 5);
  await expectText("the report from a chat", await nameOf(friends[0]!));
  const icon = new File([new Uint8Array(drawPicture([180, 70, 90], [240, 210, 180]))], "icon.png");
  await hanako.ask(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
  await hanako.ask(showClearIcon, { userId: friends[0]!.userId });
  await visitor.open(`/home/${friends[1]!.userId}`);
  await page.locator(".profile__actions .btn--quiet").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectText("the question before a clear picture", await nameOf(friends[1]!));
  await visitor.open("/setting/profile");
  await expect(page.getByRole("button", { name: t.profileForm.stopShowing })).toBeVisible();
  await expectText("who sees the clear picture", await nameOf(friends[0]!));
  await Promise.all(friends.slice(2).map(({ userId }) => hanako.ask(blockUser, { userId })));
  await visitor.open("/setting/blocks");
  await expect(page.getByRole("main").getByRole("listitem")).not.toHaveCount(0);
  await expectText("the blocked", await nameOf(friends[2]!));

  await visitor.open("/setting/profile");
  const { user } = await hanako.ask(getOwnUser, {});
  for (const field of ["username", "description", "purpose", "hobby", "twitter", "facebook"] as const)
    await expect(page.locator(`[name=${field}]`)).toHaveValue(
      user[field]!.replaceAll(/\n/g, field === "description" ? "\n" : ""),
    );
  expect(await harmIn(page), "the own profile").toEqual([]);
  await hanako.ask(likeUser, { likedId: late.userId });
  await late.ask(likeUser, { likedId: hanako.userId });
  await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible();
  await expectText("the notice of a match", await nameOf(late));
});

test("whatever an address says, nothing of it runs", async ({ visit, mailbox, server }) => {
  test.slow();
  const hanako = await signUp(server.url, mailbox, personOf("corpus-address"));
  const visitor = await visit();
  visitor.allowError(/status of 40[04]/);
  const { page, t } = visitor;
  const dialogs = await listen(visitor);
  const walk = async (paths: (value: string) => string[]) => {
    for (const value of MALICIOUS_INPUTS) {
      for (const path of paths(encodeURIComponent(value.toWellFormed()))) {
        // As a link within the app: no page is loaded anew.
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
  // Until the app runs nothing in it leads elsewhere.
  await page.getByRole("button", { name: t.ui.showPassword }).click();
  await expect(page.getByRole("button", { name: t.ui.hidePassword })).toBeVisible();
  await walk((value) => [
    `/en/login?next=${value}`,
    `/en/sign-up?invited_by=${value}&${value}=${value}`,
    `/${value}/login#${value}`,
  ]);
  await openAsMember(visitor, hanako, "/setting");
  await walk((value) => [`/en/home/${value}`, `/en/dm/${value}?${value}`]);
});

test("answers say what they are, so that no browser takes them for a page", async ({ mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("corpus-answers"));
  await hanako.ask(saveProfile, { username: "<script>ran()</script>", description: MALICIOUS_INPUTS[0] });
  const { user } = await hanako.ask(getOwnUser, {});
  const json = "application/json; charset=utf-8";
  const hostile = encodeURIComponent(MALICIOUS_INPUTS[0]);

  for (const [path, kind] of [
    ["/en/users/api/user", json],
    [`/en/users/api/get-user?userId=${hostile}`, json],
    [`/en/users/api/get-options?ids=${hostile}`, json],
    [`/en/dm/api/dm?friendId=${hostile}`, json],
    ["/en/dm/api/last-dms", json],
    ["/en/users/api/blocks", json],
    [`/en/users/api/${hostile}`, json],
    [`/media/i/${hostile}`, json],
    [user.icon, "image/jpeg"],
    ["/media/default-icon.svg", "image/svg+xml"],
    ["/openapi.json", json],
  ] as const) {
    const { headers } = await hanako.fetch(path);
    expect(headers.get("content-type"), path).toBe(kind);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});

test("what is long, deep, stacked or written from the right stays in its place and hangs nothing", async ({
  visit,
  mailbox,
  server,
}) => {
  const nested = Array.from({ length: 400 }, (_, i) => ["> ", "- ", "1. ", "* "][i % 4]).join("");
  const trials = [
    "W".repeat(DESCRIPTION_MAX),
    `${">".repeat(4_000)} quote`,
    `${"- ".repeat(2_000)}list`,
    `${nested}mixed`,
    `${"1. ".repeat(1_500)}numbers`,
    Array.from({ length: 90 }, (_, i) => `${" ".repeat(i)}- deep`).join("\n"),
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
    signUp(server.url, mailbox, personOf("trials-hanako")),
    signUp(server.url, mailbox, personOf("trials-taro", { sex: "male", username: "W".repeat(50) })),
  ]);
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");

  for (const description of trials) {
    await taro.ask(saveProfile, { description, hobby: "W".repeat(SHORT_TEXT_MAX) });
    await visitor.open(`/home/${taro.userId}`);
    await expect(page.getByRole("button", { name: t.profile.block })).toBeVisible();
    expect(await harmIn(page), description.slice(0, 20)).toEqual([]);
    expect(await page.getByRole("heading").count()).toBe(1);
    // It is all there: marks aside, no word is lost.
    const [word] = /(?:quote|list|mixed|numbers|deep|stars|brackets|six|code)/.exec(description) ?? [""];
    await expect(page.locator(".prose")).toContainText(word);
  }
});
