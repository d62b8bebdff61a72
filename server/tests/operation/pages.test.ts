import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { languages } from "@alcove/i18n";
import { translator } from "../../src/platform/i18n.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { testService, type TestService } from "../../src/testing/test-service.ts";

const PAGES_DIR = join(import.meta.dirname, "../../../web/build/client");
const SHOWN_AS_IT_IS = [
  "/en/login",
  "/ja/sign-up",
  "/zh-hans/about-service",
  "/zh-hant/tos",
  "/en/pricing",
  "/ja/provider",
];
const SHOWN_BY_THE_APP = ["/en", "/ja/home/somebody", "/en/dm/somebody", "/zh-hant/setting"];
/** Search engines may list them. */
const LISTED = ["/en", "/en/login", "/zh-hans/about-service", "/zh-hant/tos", "/en/pricing", "/ja/provider"];
const OPERATOR_PAGES = [
  "provider",
  "tos",
  "privacy-policy",
  "accessibility",
  "child-safety",
  "delete-account",
];
const NOWHERE = ["/en/no-such-page", "/en/home", "/ja/dm/somebody/else", "/fr/setting/nothing"];

// `npm test` builds the web app first; a single test run may lack it.
describe.runIf(existsSync(join(PAGES_DIR, "index.html")))("the built web app", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService({
      pagesDir: PAGES_DIR,
      config: { brandName: "Quiet Room", supportEmail: "desk@quiet.example" },
    });
  });

  const redirect = async (headers: Record<string, string>) => {
    const response = await service.fetch("/", { headers, redirect: "manual" });
    expect(response.status).toBe(302);
    return response.headers.get("location");
  };

  test("names the brand in the web manifest", async () => {
    const response = await service.fetch("/site.webmanifest");

    expect(response.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
    expect(await response.json()).toMatchObject({ name: "Quiet Room", short_name: "Quiet Room" });
  });

  test("fills the year of the server's start into the built footer", async () => {
    const html = await (await service.fetch("/en/about-service")).text();

    expect(html).toMatch(new RegExp(`© <span>${service.ctx.clock.now().getFullYear()}<`));
    expect(html).not.toContain("__THIS_YEAR__");
  });

  test("shows the configured quotas on the pages of every language, and the defaults nowhere", async () => {
    const quotas = { freeCardsPerDay: 3, paidLikesPerDay: 71 };
    const other = await serviceForTest({ pagesDir: PAGES_DIR, config: quotas });

    for (const language of languages) {
      const t = translator(language, "pricing");
      const pages = ["", "/login", "/about-service", "/pricing", "/contact", "/tos", "/privacy-policy"];
      const html = await Promise.all(
        pages.map(async (page) => (await other.fetch(`/${language}${page}`)).text()),
      );
      const pricing = html[pages.indexOf("/pricing")]!;
      expect(pricing).toContain(t("freeCards", { count: quotas.freeCardsPerDay }));
      expect(pricing).toContain(t("paidLikes", { count: quotas.paidLikesPerDay }));
      expect(pricing).toContain('"freeCardsPerDay":"3","paidLikesPerDay":"71"');
      for (const text of [t("freeCards", { count: 1 }), t("paidLikes", { count: 50 })])
        expect(html.join("\n")).not.toContain(text);
    }
  });

  test("shows the operator on the pages of every language without a script, and which data is missing", async () => {
    const operator = {
      name: "O'Quiet & Söhne",
      address: "1 Quiet Street, Quiet Town",
      phone: null,
      register: "HRB 1",
      taxId: "DE 1",
      representative: null,
    };
    const exposed = await serviceForTest({ pagesDir: PAGES_DIR, config: { operator, trustProxy: true } });
    const dataOf = (html: string) => /<script id="settings"[^>]*>(.*?)<\/script>/.exec(html)![1]!;

    for (const language of languages)
      for (const page of OPERATOR_PAGES) {
        const path = `/${language}/${page}`;
        const t = translator(language, "operator");
        const html = await (await exposed.fetch(path)).text();
        for (const value of ["O'Quiet &amp; Söhne", operator.address, t("missing")])
          expect(html, path).toContain(`<dd>${value}</dd>`);
        expect(html).toContain(`<dd data-value="HRB 1">HRB 1</dd>`);
        expect(html).toContain(`<dd data-value=""></dd>`);
        expect(JSON.parse(dataOf(html))).toMatchObject({ operatorName: operator.name });
      }
    expect(await (await service.fetch("/ja/provider")).text()).toContain(
      `<dd>${translator("ja", "operator")("example")}</dd>`,
    );
  });

  test("redirects / to the stored language, else the browser's, else English", async () => {
    expect(await redirect({ cookie: "a=b; language=ja", "accept-language": "zh-TW" })).toBe("/ja");
    expect(await redirect({ cookie: "language=tlh", "accept-language": "zh-TW,en;q=0.5" })).toBe("/zh-hant");
    expect(await redirect({ "accept-language": "fr-CH, fr;q=0.9, en;q=0.8, ja;q=0.85, *;q=0.5" })).toBe(
      "/ja",
    );
    expect(await redirect({ "accept-language": "zh-CN" })).toBe("/zh-hans");
    expect(await redirect({ "accept-language": "zh-Hans-HK" })).toBe("/zh-hans");
    expect(await redirect({ "accept-language": "cn" })).toBe("/zh-hans");
    expect(await redirect({ "accept-language": "zh" })).toBe("/zh-hant");
    expect(await redirect({ "accept-language": "ja;q=0, de" })).toBe("/en");
    expect(await redirect({ "accept-language": ";;;,,q=x" })).toBe("/en");
    expect(await redirect({ cookie: "language=//evil.example" })).toBe("/en");
  });

  test.each([...SHOWN_AS_IT_IS, ...SHOWN_BY_THE_APP, ...NOWHERE])(
    "%s allows only its own scripts and styles by hash",
    async (path) => {
      const response = await service.fetch(path);
      const html = await response.text();
      const policy = response.headers.get("content-security-policy")!;

      expect(response.status).toBe(NOWHERE.includes(path) ? 404 : 200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const scripts = [...html.matchAll(/<script(?<attributes>[^>]*)>(?<code>[\s\S]*?)<\/script>/g)].map(
        ({ groups }) => groups!,
      );
      const inline = scripts.filter(
        ({ attributes = "" }) => !/\bsrc=|type="application\/json"/.test(attributes),
      );
      const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => css!);
      for (const code of [...inline.map(({ code = "" }) => code), ...styles]) {
        expect(policy).toContain(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
      }
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(html.replaceAll(/<style>[\s\S]*?<\/style>/g, "")).not.toMatch(
        /<style|\sstyle="|\son[a-z]+="|javascript:/,
      );
    },
  );

  test.each([...SHOWN_AS_IT_IS, ...SHOWN_BY_THE_APP])(
    "%s sends no request to a third party",
    async (path) => {
      const html = await (await service.fetch(path)).text();

      const loaded = [...html.matchAll(/<(?:link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g)].map(
        ([, url]) => url!,
      );
      expect(loaded.length).toBeGreaterThan(0);
      expect(loaded.filter((url) => !url.startsWith("/") || url.startsWith("//"))).toEqual([]);
      for (const url of new Set(loaded.map((url) => url.split("#")[0]!))) {
        const file = await service.fetch(url);
        expect([url, file.status]).toEqual([url, 200]);
      }
    },
  );

  test.each([...SHOWN_AS_IT_IS, ...SHOWN_BY_THE_APP])(
    "%s has the server's settings and a neutral title",
    async (path) => {
      const html = await (await service.fetch(path)).text();

      expect(html).not.toMatch(/__[A-Z_]+__/);
      expect(html).toContain("Quiet Room");
      expect(html).toMatch(/<title>Quiet Room<\/title>/);
      expect(html.includes('<meta name="robots" content="noindex"')).toBe(!LISTED.includes(path));
    },
  );

  test("lists the public pages for search engines, each in four languages", async () => {
    const quiet = await serviceForTest({
      pagesDir: PAGES_DIR,
      config: { publicUrl: "https://quiet.example" },
    });
    const read = async (path: string) => (await quiet.fetch(path)).text();
    const pages = [
      "",
      "/login",
      "/about-service",
      "/how-it-works",
      "/pricing",
      "/tos",
      "/privacy-policy",
      "/provider",
      "/accessibility",
      "/child-safety",
      "/delete-account",
      "/contact",
    ];

    const listed = [...(await read("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
    const page = await read("/ja/pricing");
    const first = await read("/ja");

    expect(await read("/robots.txt")).toContain("Sitemap: https://quiet.example/sitemap.xml");
    expect(listed.toSorted()).toEqual(
      languages
        .flatMap((language) => pages.map((name) => `https://quiet.example/${language}${name}`))
        .toSorted(),
    );
    expect(page).toContain('<link rel="canonical" href="https://quiet.example/ja/pricing"/>');
    expect(first).toContain('<link rel="canonical" href="https://quiet.example/ja"/>');
    expect(first).toContain('hrefLang="zh-Hans" href="https://quiet.example/zh-hans"');
    expect(page).toMatch(/<meta name="description" content="[^"]+"/);
    for (const [language, path] of [
      ["en", "en"],
      ["ja", "ja"],
      ["zh-Hans", "zh-hans"],
      ["zh-Hant", "zh-hant"],
    ])
      expect(page).toContain(`hrefLang="${language}" href="https://quiet.example/${path}/pricing"`);
  });

  test.each(["/en/login", "/ja/sign-up", "/zh-hans/reset-password", "/zh-hant/unsubscribe"])(
    "%s has no form that puts typed values into a URL without JavaScript",
    async (path) => {
      const html = await (await service.fetch(path)).text();

      const forms = html.match(/<form\b[^>]*>/g);
      expect(forms).toHaveLength(1);
      expect(forms?.[0]).toContain('method="post"');
    },
  );

  test("serves a page under an unknown language in place, and 404 for unknown files", async () => {
    for (const path of ["/fr/login", "/EN/dm", "/en/DM", "/xx", "/en/setting/", "/en/home/a%3Fb"]) {
      const page = await service.fetch(path, { redirect: "manual" });
      expect([path, page.status]).toEqual([path, 200]);
    }
    for (const path of [
      "/assets/none.js",
      "/media/none",
      "/en/users/api/none",
      "/robots.php",
      "/ws/none",
      "/en/api",
    ]) {
      const response = await service.fetch(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: expect.stringMatching(/not_found$/) as unknown });
    }
  });

  test("returns 404 for an unknown URL repeatedly", async () => {
    for (const path of NOWHERE) {
      const { headers } = await service.fetch(path);
      const again = await service.fetch(path, { headers: { "if-none-match": headers.get("etag")! } });
      expect([path, again.status]).toEqual([path, 404]);
    }
  });

  test("revalidates pages and caches built files for good", async () => {
    const page = await service.fetch("/en/login");
    const again = await service.fetch("/en/login", {
      headers: { "if-none-match": page.headers.get("etag")! },
    });
    const [, asset] = /import\("(\/assets\/[^"]+\.js)"\)/.exec(await page.text()) ?? [];
    const file = await service.fetch(asset!);

    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(again.status).toBe(304);
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(file.headers.get("content-type")).toMatch(/javascript/);
  });

  test("sends HSTS only with a public https URL", async () => {
    const secure = await serviceForTest({
      pagesDir: PAGES_DIR,
      config: { publicUrl: "https://quiet.example" },
    });

    const header = async (from: TestService) => (await from.fetch("/en/login")).headers;
    expect((await header(service)).get("strict-transport-security")).toBeNull();
    expect((await header(secure)).get("strict-transport-security")).toMatch(/max-age=31536000/);
    expect((await header(secure)).get("content-security-policy")).toContain(
      "connect-src 'self' wss://quiet.example",
    );
  });

  test("allows reCAPTCHA only on its pages and only if configured", async () => {
    const guarded = await serviceForTest({
      pagesDir: PAGES_DIR,
      config: { botCheck: "recaptcha", recaptchaSiteKey: "6Lsite", recaptchaSecret: "6Lsecret" },
    });
    const read = async (path: string) => {
      const page = await guarded.fetch(path);
      return `${page.headers.get("content-security-policy")} ${await page.text()}`;
    };

    for (const path of ["/en/sign-up", "/fr/sign-up", "/zh-hant/SIGN-UP", "/ja/reset-password"]) {
      const page = await read(path);
      expect(page).toContain("6Lsite");
      expect(page).toMatch(
        /script-src 'self' .* https:\/\/www\.google\.com\/recaptcha\/ https:\/\/www\.gstatic\.com\/recaptcha\/; style-src 'self'(?: 'sha256-[^;' ]+')*;/,
      );
      expect(page).toContain("frame-src https://www.google.com/recaptcha/");
      expect(page).not.toContain("6Lsecret");
    }
    for (const path of ["/en/login", "/ja", "/en/setting", "/en/sign-up/more", "/en/home/sign-up"]) {
      const page = await read(path);
      expect(page).not.toMatch(/6Lsite|google\.com\/recaptcha/);
      expect(page).toContain("frame-src 'self'; ");
    }
  });

  test("lets our own pages frame the bot check of a login, and no other page", async () => {
    const guarded = await serviceForTest({
      pagesDir: PAGES_DIR,
      config: { botCheck: "recaptcha", recaptchaSiteKey: "6Lsite", recaptchaSecret: "6Lsecret" },
    });
    const framingOf = async (from: TestService, path: string) => {
      const { headers } = await from.fetch(path);
      const [ancestors] = /frame-ancestors [^;]+/.exec(headers.get("content-security-policy")!)!;
      return `${ancestors} ${headers.get("x-frame-options")}`;
    };

    expect(await framingOf(guarded, "/ja/bot-check")).toBe(
      "frame-ancestors 'self' https://localhost capacitor://localhost SAMEORIGIN",
    );
    expect(await (await guarded.fetch("/ja/bot-check")).text()).toContain("6Lsite");
    for (const path of ["/en/login", "/en/sign-up", "/en/bot-check/more", "/en"])
      expect(await framingOf(guarded, path)).toBe("frame-ancestors 'none' DENY");
    expect(await framingOf(service, "/ja/bot-check")).toBe("frame-ancestors 'none' DENY");
  });

  test("allows PayPal's script only on the upgrade page and only from PayPal", async () => {
    const account = { clientId: "AbC-client", clientSecret: "EfG-secret", webhookId: null };
    const selling = async (apiUrl: string) =>
      serviceForTest({ pagesDir: PAGES_DIR, config: { paypal: { ...account, apiUrl } } });
    const eventBus = await selling("https://api-m.paypal.com");
    const sandbox = await selling("http://127.0.0.1:9");
    const read = async (from: TestService, path: string) => {
      const page = await from.fetch(path);
      return `${[...page.headers].join("\n")} ${await page.text()}`;
    };

    for (const path of ["/en/upgrade-account", "/zh-hant/UPGRADE-ACCOUNT"]) {
      const page = await read(eventBus, path);
      expect(page).toContain("AbC-client");
      expect(page).toMatch(/script-src 'self' .* https:\/\/\*\.paypal\.com/);
      expect(page).toContain("cross-origin-opener-policy,same-origin-allow-popups");
      expect(page).not.toContain("EfG-secret");
    }
    for (const path of ["/en", "/en/setting", "/en/upgrade-account/payment/successed/1", "/en/sign-up"]) {
      expect(await read(eventBus, path)).not.toMatch(/AbC-client|paypal\.com|unsafe-inline|allow-popups/);
    }
    expect(await read(sandbox, "/en/upgrade-account")).not.toMatch(/AbC-client|paypal\.com|unsafe-inline/);
    const paypalScriptUrl = "http://127.0.0.1:9/sdk/js";
    const paypal = { ...account, apiUrl: "http://127.0.0.1:9" };
    const withScript = await serviceForTest({ pagesDir: PAGES_DIR, config: { paypal, paypalScriptUrl } });
    const named = await read(withScript, "/en/upgrade-account");
    expect(named).toContain(paypalScriptUrl);
    expect(named).toMatch(/script-src 'self' .* http:\/\/127\.0\.0\.1:9;/);
    expect(named).not.toMatch(/paypal\.com|unsafe-inline/);
    expect(await read(withScript, "/en/setting")).not.toContain("127.0.0.1:9");
  });

  test("passes to the web app whether payments are on and real", async () => {
    const paypal = { clientId: "a", clientSecret: "b", webhookId: null };
    const at = (apiUrl: string) => ({ config: { paypal: { ...paypal, apiUrl } }, pagesDir: PAGES_DIR });
    const paymentState = async (from: TestService) => {
      const html = await (await from.fetch("/en/upgrade-account")).text();
      return /"payments":"(\w+)"/.exec(html)?.[1];
    };

    expect(await paymentState(service)).toBe("off");
    for (const host of ["api-m.sandbox.paypal.com", "api.sandbox.paypal.com"])
      expect(await paymentState(await serviceForTest(at(`https://${host}`))), host).toBe("sandbox");
    // A custom PayPal URL needs its own CSP entry.
    for (const url of [
      "https://api-m.paypal.com",
      "http://127.0.0.1:4926",
      "https://sandbox.paypal.com.example",
    ])
      expect(await paymentState(await serviceForTest(at(url))), url).toBe("on");
  });

  test("allows the configured native origins", async () => {
    const native = await serviceForTest({ config: { nativeOrigins: ["app://alcove"] } });
    const allowed = async (origin: string) => {
      const headers = { origin, "access-control-request-method": "GET" };
      const response = await native.fetch("/en/users/api/user", { method: "OPTIONS", headers });
      return response.headers.get("access-control-allow-origin");
    };

    expect(await allowed("app://alcove")).toBe("app://alcove");
    expect(await allowed("capacitor://localhost")).toBeNull();
  });
});
