import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ADULT_AGE } from "@alcove/contract/limits";
import { RETENTION } from "@alcove/contract/retention";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { STORED_KEYS } from "../../../web/app/device/stored.ts";
import { flatten } from "../../../i18n/flatten.ts";
import { infoTexts } from "../../../web/app/screens/legal/info-texts.ts";
import { type LegalText, privacyText } from "../../../web/app/screens/legal/legal-text.ts";
import { privacyPolicies, termsFor } from "../../../web/app/screens/legal/legal-texts.ts";
import { RECEIVERS, STORED_IN } from "./privacy-lists.ts";

const ROOT = join(import.meta.dirname, "../../..");
const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const listFiles = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx,js}`, { cwd: ROOT }).toSorted();

test.each(languages)("names every table, receiver and key of the browser in %s", (language) => {
  const policy = privacyPolicies[language];
  const folders = readdirSync(join(ROOT, "server/src/integrations"), { withFileTypes: true });
  const integrations = folders.filter((each) => each.isDirectory()).map(({ name }) => name);

  for (const item of Object.values(STORED_IN))
    if (item) expect(policy.stored.items[item].join("").length).toBeGreaterThan(10);
  expect(Object.keys(RECEIVERS).toSorted()).toEqual(integrations.toSorted());
  const receivers = Object.values(RECEIVERS).filter((receiver) => receiver !== null);
  expect(Object.keys(policy.processors.items).toSorted()).toEqual(receivers.toSorted());
  expect(Object.keys(policy.device.items)).toEqual(expect.arrayContaining([...STORED_KEYS]));
});

/** The terms define this word in quotes. */
const WE = { en: "we", ja: "当サービス", "zh-hans": "我们", "zh-hant": "我們" } as const;

test("names every cookie and cache, which types do not know", () => {
  const filesWith = (folders: string[], pattern: RegExp) =>
    folders
      .flatMap((folder) => listFiles(folder))
      .filter((path) => /\.(ts|tsx|js)$/.test(path) && !/\.test\.|\/testing\//.test(path))
      .filter((path) => pattern.test(readText(path)))
      .map((path) => path.replace(/^.*(?=(server|web)\/)/, ""));

  // The cookie "visit", and the console's.
  expect(filesWith(["server/src"], /"set-cookie"/)).toEqual([
    "server/src/operator/console/port.ts",
    "server/src/platform/http/cookies.ts",
  ]);
  expect(
    filesWith(["web/app", "web/public"], /\b(document\.cookie|cookieStore|indexedDB|caches)\b[.=[ ]/),
  ).toEqual([
    "web/app/device/worker.ts",
    "web/app/lib/session/duress.ts", // deletes them
    "web/app/lib/texts/language.ts",
    "web/public/sw.js",
  ]);
});

test.each(languages)("names the push services of phones, which read the sentence, in %s", (language) => {
  const [, text] = privacyPolicies[language].processors.items.push;

  expect(text).toMatch(/Google.*Firebase Cloud Messaging|Firebase Cloud Messaging.*Google/);
  expect(text).toMatch(/Apple Push Notification|Apple 推[送播]通知/);
});

test.each(languages)(
  "names the storage of the native app, and who checks face and fingerprint, in %s",
  (language) => {
    const { app } = privacyPolicies[language].device.items;
    const { biometrics } = allTranslations[language].nativeApp;
    const sources = listFiles("web/app/device/native").map(readText).join("\n");

    expect([...sources.matchAll(/KEY = "(\w+)"/g)].map(([, key = ""]) => key).toSorted()).toEqual([
      "installed",
      "settings",
    ]);
    expect(app).toMatch(/fingerprint|指紋|指纹/);
    expect(biometrics).toMatch(/fingerprint|指紋|指纹/);
    expect(app).toMatch(/protected storage|保護された領域|安全[儲存]{2}區|安全存储区/);
  },
);

test.each(languages)("names columns that surprise beside their table in %s", (language) => {
  const { items } = privacyPolicies[language].stored;

  expect(items.messages[1], "messages.encrypted_reactions").toMatch(/reactions|リアクション|回应|回應/);
  expect(items.messages[1], "typing_opt_ins").toMatch(/typing|入力中|正在[輸输]入/);
  expect(items.messages[1], "unwanted_pictures").toMatch(/no pictures|画像を受け取らない|不接收[图圖]片/);
  expect(items.profile[1], "profiles.is_paused").toMatch(/pause|お休み|[暂暫]停/);
  expect(items.sessions[1], "socket_tickets of login codes").toMatch(/codes|コード|代[碼码]/);
  expect(items.moderation[1], "suspended_mailboxes").toMatch(/mailbox|メールボックス|[邮信]箱/);
  expect(items.messages[1], "inbox.is_muted").toMatch(/muted|ミュート|靜音|静音/);
  expect(items.referral[1], "members.brokerage_percentage").toMatch(/percentage|割合|比例/);
  expect(items.sessions[1], "loggedInAt of sessions.encrypted_device_name").toMatch(
    /when it began|ログインした日時|登[入录]的[時时][間间]/,
  );
  expect(items.membership[1], "orders.encrypted_paid_at").toMatch(
    /when and what you paid|支払いの日時|付款的[時时][間间]/,
  );
  expect(items.membership[1], "grants of the operator").toMatch(/granted|付与|[給给]予/);
  expect(items.limits[1], "rate_limits.hits").toMatch(/two days|2日|[兩两]天/);
  expect(items.notifications[1], "notification_preferences.digest_sent_at").toMatch(/email|メール|信|邮件/);
});

test.each(languages)("names the data that is readable without keys, in %s", (language) => {
  const { protection, deletion, processors } = privacyPolicies[language];

  expect(protection.paragraphs![1], "message_id and order_id hold times").toMatch(
    /exact time|正確な日時|[確确]切[時时][間间]/,
  );
  expect(deletion.paragraphs!.join(""), "COPY of all tables").toMatch(/section 2|第2項|第二[節节]/);
  expect(processors.items.mail[1], "contact_email").toMatch(/question|お問い合わせ|提[問问]/);
});

test.each(languages)("names typing and reading among what matches see in %s", (language) => {
  const text = privacyPolicies[language].viewers.paragraphs!.join("");

  expect(text).toMatch(/typing|入力中|正在[輸输]入/);
  expect(text).toMatch(/both of you|双方がオン|[雙双]方都[開开][啟启]/);
});

test.each(languages)("states the age and the ways of a suspended member in the terms in %s", (language) => {
  const { sections } = termsFor(language).text;
  const text = (from: number, to: number) =>
    sections.slice(from, to).flatMap(({ paragraphs = [] }) => paragraphs);
  const numbers = text(0, sections.length)
    .join("")
    .replaceAll(/section \d+|第\d+項|\{\w+\}/g, "")
    .match(/\d+/g);

  expect(new Set(numbers!.map(Number))).toEqual(new Set([ADULT_AGE]));
  const [removal, leaving] = [text(7, 8), text(8, 9)].map(String);
  for (const paragraph of [removal, leaving]) expect(paragraph).toMatch(/suspen|停止|停用/);
});

test.each(languages)("names rows of the settings as the app does in %s", (language) => {
  const { settings } = allTranslations[language];
  const quoted = privacyPolicies[language].rights
    .paragraphs!.join("")
    .matchAll(/[“「](?<label>[^”」]+)[”」]/g);

  expect([...quoted].map(({ groups }) => groups!["label"])).toEqual([
    settings.export,
    settings.deleteAccount,
  ]);
});

test("names the traces, which the server may send to a collector", () => {
  const isTraced = listFiles("server/src").some((path) => path.endsWith("platform/tracing.ts"));

  for (const language of languages) {
    const { stored, retention } = privacyPolicies[language];
    for (const text of [stored.items.logs[1], retention.items.logDays])
      expect(/trace|処理の|追蹤|追踪/.test(text), language).toBe(isTraced);
  }
  expect(readText("docs/operations.md")).toContain("The collector deletes");
});

test.each(languages)("states each retention period of the code once in %s", (language) => {
  const { retention } = privacyPolicies[language];

  expect(Object.keys(retention.items).toSorted()).toEqual(Object.keys(RETENTION).toSorted());
  for (const [name, sentence] of Object.entries(retention.items)) {
    expect(sentence.match(/\{\w+\}/g)).toEqual([`{${name}}`]);
    expect(sentence).not.toMatch(/\d/);
  }
});

test("has the same sections, entries and values in all languages", () => {
  const shapeIn = (language: (typeof languages)[number]) =>
    privacyText(privacyPolicies[language]).sections.map(({ paragraphs = [], items = [] }) => ({
      paragraphs: paragraphs.map((paragraph) => paragraph.match(/\{\w+\}/g)),
      items: items.length,
    }));

  for (const language of languages) expect(shapeIn(language)).toEqual(shapeIn("zh-hant"));
});

test("has the same terms and pages of information in all languages", () => {
  const textsOf = (language: (typeof languages)[number]) => [
    termsFor(language).text,
    ...Object.values(infoTexts[language]),
  ];
  const shapeOf = (texts: readonly LegalText[]) =>
    texts.map(({ sections }) =>
      sections.map(({ paragraphs = [], items = [] }) =>
        [...paragraphs, ...items.flat()].map((text) => text.match(/\{\w+\}|\]\([^)]+\)/g)?.toSorted()),
      ),
    );

  for (const language of languages) expect(shapeOf(textsOf(language))).toEqual(shapeOf(textsOf("zh-hant")));
});

test.each(languages)("quotes buttons in pages of information as the app names them in %s", (language) => {
  const names = new Set(flatten(allTranslations[language]).values());
  const all = JSON.stringify([infoTexts[language], termsFor(language).text]);
  const quoted = [...all.matchAll(/[“「]([^”」]+)[”」]/g)].map(([, label]) => label!);

  expect(quoted.length).toBeGreaterThan(4);
  expect(quoted.filter((label) => !names.has(label))).toEqual([WE[language]]);
});

test.each(languages)("leads from the provider's page to the withdrawal of the terms in %s", (language) => {
  const { provider } = infoTexts[language];
  const sale = provider.sections[0]!.items!.flat().join("");
  const headings = termsFor(language).text.sections.map(({ heading }) => heading!);

  expect(sale).toMatch(/section 6|第6項|第六[節节]/);
  expect(headings[5]).toMatch(/Withdrawal|撤回|解除|撤销/);
});

test.each(languages)(
  "keeps the warnings of the purchase word for word in terms and provider's page in %s",
  (language) => {
    const { noCancel, noRefund } = allTranslations[language].membership;

    for (const text of [termsFor(language).text, infoTexts[language].provider])
      for (const warning of [noCancel, noRefund]) expect(JSON.stringify(text)).toContain(warning);
  },
);

test("binds every retention period to code, and those of backups and logs to a rule for the operator", () => {
  const sources = ["server/src", "web/app"].flatMap(listFiles).concat("contract/src/questions.ts");
  const code = sources
    .filter((path) => path.endsWith(".ts") && !path.includes("/legal/"))
    .map(readText)
    .join("\n");

  // First loads import two of the periods alone.
  const isUsed = (name: string) =>
    new RegExp(`\\b(RETENTION\\.${name}|${name.replace(/[A-Z]/g, "_$&").toUpperCase()})\\b`).test(code);
  expect(Object.keys(RETENTION).filter((name) => !isUsed(name))).toEqual([]);
  expect(readText("docs/backups.md")).toContain(`keep them ${RETENTION.backupDays} days`);
  expect(readText("docs/operations.md")).toContain(`Delete them after ${RETENTION.logDays} days`);
});
