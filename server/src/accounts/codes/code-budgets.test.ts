import { afterAll, expect, test } from "vitest";
import { checkSignUpCode, logIn, register, requestSignUpCode } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { checkResetCode, requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { rounds } from "../../testing/rounds.ts";
import { openClient, type TestClient } from "../../testing/browser.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import type { TestService } from "../../testing/test-service.ts";
import { agreed, signUpForm, wrongCode } from "../../testing/sign-up.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { config: { smtpUrl: mailbox.url, trustProxy: true } };
const withLimits = { config: { ...smtp.config, hasRateLimits: true } };

const HOME = "198.51.100.7";
const AWAY = "203.0.113.9";
const PASSWORD = "louder-mornings-8";
const NEW = { password: PASSWORD, passwordConfirmation: PASSWORD };

const browserAt = (service: TestService, network: string) => openClient(service, { network });
const cookieless = (service: TestService, network: string) =>
  openClient(service, { network, keepsCookies: false });

/** Requests a reset code and returns it from the next email. */
async function requestCode(client: TestClient, email: string): Promise<string> {
  const nth = mailbox.emails(email).length + 1;
  expect(await client.call(requestResetCode, { email })).toEqual({});
  return (await mailbox.waitForEmail(email, nth)).code!;
}

const check = (client: TestClient, email: string, code: string) =>
  client.call(checkResetCode, { email, code }).catch((error: { code: string }) => error.code);

async function miss(client: TestClient, email: string, code: string, times = CODE_MISSES) {
  for (let by = 1; by <= times; by++) await check(client, email, wrongCode(code, by));
}

test("resets the password of a member when a stranger enters fifty wrong codes", async () => {
  const service = await serviceForTest(withLimits);
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const email = "hanako@example.com";
  const hanako = browserAt(service, HOME);
  const code = await requestCode(hanako, email);

  for (const network of [AWAY, HOME]) await miss(cookieless(service, network), email, code, 25);

  expect(await check(hanako, email, code)).toBe(true);
  expect(await hanako.call(resetPassword, { email, code, ...NEW })).toBe(true);
  await service.call(logIn, { user_id: "hanako", password: PASSWORD });
});

test("signs up with the right code when strangers enter wrong ones before each step", async () => {
  const service = await serviceForTest(withLimits);
  const email = "new@example.com";
  const hanako = browserAt(service, HOME);
  await hanako.call(requestSignUpCode, { email, ...agreed });
  const code = (await mailbox.waitForEmail(email)).code!;
  const enterWrongCodes = async () => {
    for (const network of [HOME, AWAY]) {
      for (let by = 1; by <= CODE_MISSES + 1; by++)
        await cookieless(service, network).call(checkSignUpCode, { email, code: wrongCode(code, by) });
    }
  };

  await enterWrongCodes();
  expect(await hanako.call(checkSignUpCode, { email, code })).toBe(true);
  await enterWrongCodes();

  expect((await hanako.call(register, signUpForm({ email, code }))).user.user_id).toBe("hanako");
});

test("closes a code for one group of clients alone when its five attempts are used up", async () => {
  const service = await serviceForTest(smtp);
  const groups = {
    browser: (asking: TestClient) => asking,
    network: () => cookieless(service, HOME),
    others: () => browserAt(service, AWAY),
  };
  const names = Object.keys(groups) as (keyof typeof groups)[];
  for (const spent of names) {
    const email = `${spent}@example.com`;
    await service.member(spent, { at: null });
    const asking = browserAt(service, HOME);
    const code = await requestCode(asking, email);

    await miss(groups[spent](asking), email, code, CODE_MISSES - 1);
    for (const name of names) expect(await check(groups[name](asking), email, code)).toBe(true);
    await miss(groups[spent](asking), email, code, 1);

    for (const name of names)
      expect([spent, name, await check(groups[name](asking), email, code)]).toEqual([
        spent,
        name,
        name !== spent,
      ]);
  }
});

test("counts all other networks together and all browsers of the requesting network together", async () => {
  const service = await serviceForTest(smtp);
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  const code = await requestCode(browserAt(service, HOME), email);

  for (let by = 1; by <= CODE_MISSES; by++) {
    await check(browserAt(service, HOME), email, wrongCode(code, by));
    await check(browserAt(service, `192.0.2.${by}`), email, wrongCode(code, by));
  }

  expect(await check(browserAt(service, HOME), email, code)).toBe(false);
  expect(await check(browserAt(service, "192.0.2.99"), email, code)).toBe(false);
});

test("counts clients without cookies as their network, which five wrong codes close", async () => {
  const service = await serviceForTest(smtp);
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  const client = cookieless(service, HOME);
  const code = await requestCode(client, email);

  await miss(client, email, code, CODE_MISSES - 1);
  expect(await check(client, email, code)).toBe(true);
  await miss(client, email, code, 1);

  expect(await check(client, email, code)).toBe(false);
  expect(await check(cookieless(service, AWAY), email, code)).toBe(true);
});

test("replaces only the code of the same browser", async () => {
  const service = await serviceForTest(smtp);
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  const [laptop, phone] = [browserAt(service, HOME), browserAt(service, HOME)];
  const first = await requestCode(laptop, email);
  service.clock.advance(1_000);
  const others = [await requestCode(phone, email), await requestCode(cookieless(service, AWAY), email)];

  expect(await check(laptop, email, first)).toBe(true);
  service.clock.advance(1_000);
  const second = await requestCode(laptop, email);

  expect(await check(laptop, email, first)).toBe(false);
  for (const code of [second, ...others]) expect(await check(laptop, email, code)).toBe(true);
});

test("replaces the code of the same network when both requests come without cookies", async () => {
  const service = await serviceForTest(smtp);
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  const [home, away] = [cookieless(service, HOME), cookieless(service, AWAY)];
  const first = await requestCode(home, email);
  service.clock.advance(1_000);
  const elsewhere = await requestCode(away, email);
  const second = await requestCode(home, email);

  for (const client of [home, away]) {
    expect(await check(client, email, first)).toBe(false);
    expect(await check(client, email, second)).toBe(true);
    expect(await check(client, email, elsewhere)).toBe(true);
  }
});

test("keeps at most twenty open codes per address, the newest", async () => {
  const service = await serviceForTest(smtp);
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  const codes: string[] = [];
  for (let i = 0; i < 22; i++) {
    codes.push(await requestCode(browserAt(service, HOME), email));
    service.clock.advance(1_000);
  }

  expect(await service.db.selectFrom("codes").select("purpose").execute()).toHaveLength(20);
  const [newest, oldest] = [codes.at(-1)!, codes[0]!];
  expect(await check(cookieless(service, HOME), email, newest)).toBe(true);
  expect(await check(cookieless(service, HOME), email, oldest)).toBe(false);
});

test("keeps every budget at five when sixty wrong codes come from all groups at the same time", async () => {
  const service = await serviceForTest(smtp);
  const beside = await serviceForTest({ ...smtp, beside: service });
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  for (let round = 0; round < rounds(8); round++) {
    await service.db.deleteFrom("codes").execute();
    const browsers = [HOME, "192.0.2.1", AWAY].map((network) => browserAt(service, network));
    const codes: string[] = [];
    for (const browser of browsers) codes.push(await requestCode(browser, email));
    const guesses = Array.from({ length: 60 }, (_, i) => {
      const at = i % 2 ? service : beside;
      const others = [cookieless(at, HOME), cookieless(at, AWAY), cookieless(at, "192.0.2.1")];
      return check([...browsers, ...others][i % 6]!, email, `x${i}`);
    });

    const outcomes = new Set(await Promise.all(guesses));

    expect([...outcomes]).toEqual([false]);
    const misses = await service.db
      .selectFrom("codes")
      .select(["browser_misses", "network_misses", "other_misses"])
      .execute();
    const spent = { browser_misses: 5, network_misses: 5, other_misses: 5 };
    expect(misses).toEqual([spent, spent, spent]);
    for (const [i, browser] of browsers.entries()) expect(await check(browser, email, codes[i]!)).toBe(false);
  }
}, 60_000);

test("accepts the right code of the requesting browser when strangers guess at the same time", async () => {
  const service = await serviceForTest(smtp);
  await service.member("hanako", { at: null });
  const email = "hanako@example.com";
  for (let round = 0; round < rounds(20); round++) {
    const hanako = browserAt(service, HOME);
    const code = await requestCode(hanako, email);

    const [right] = await Promise.all([
      check(hanako, email, code),
      ...Array.from({ length: 20 }, (_, i) =>
        check(cookieless(service, i % 2 ? HOME : AWAY), email, wrongCode(code, i + 1)),
      ),
    ]);

    expect(right).toBe(true);
    service.clock.advance(1_000);
  }
}, 60_000);

test("uses a code up once when it is entered in all groups at the same time", async () => {
  const service = await serviceForTest(smtp);
  for (let round = 0; round < rounds(8); round++) {
    await service.member(`once${round}`, { at: null });
    const email = `once${round}@example.com`;
    const hanako = browserAt(service, HOME);
    const code = await requestCode(hanako, email);
    const clients = [hanako, cookieless(service, HOME), cookieless(service, AWAY), hanako];

    const outcomes = await Promise.all(
      clients.map((client) => client.call(resetPassword, { email, code, ...NEW })),
    );

    expect(outcomes.filter(Boolean)).toHaveLength(1);
  }
}, 60_000);

test("sets a cookie that scripts and other sites cannot use, and stores only digests", async () => {
  const service = await serviceForTest({ config: { ...smtp.config, publicUrl: "https://quiet.example" } });
  const client = browserAt(service, HOME);
  await requestCode(client, "unknown@example.com");

  expect(client.setCookie).toMatch(
    /^__Host-visit=[\w-]{43}; Path=\/; Max-Age=7200; HttpOnly; SameSite=Lax; Secure$/,
  );
  const token = /=([\w-]+)/.exec(client.setCookie!)![1]!;
  const first = client.setCookie;
  await client.call(requestResetCode, { email: "another@example.com" });
  expect(client.setCookie).toBe(first);
  await mailbox.waitForEmail("another@example.com");
  const stored = await service.db.selectFrom("codes").selectAll().execute();
  expect(stored).toHaveLength(2);
  const [one, other] = stored.map(({ browser_digest }) => browser_digest);
  expect(one!.equals(other!)).toBe(false);
  for (const form of [Buffer.from(token), Buffer.from(token, "base64url")])
    expect(stored.some(({ browser_digest }) => browser_digest.includes(form))).toBe(false);
});

test("sets a cookie without Secure over http, and a new one for an invented token", async () => {
  const service = await serviceForTest(smtp);
  const response = await service.fetch("/en/users/api/reset-password", {
    method: "POST",
    headers: { cookie: "visit=invented" },
    body: new URLSearchParams({ email: "http@example.com" }),
  });

  expect(response.headers.get("set-cookie")).toMatch(
    /^visit=[\w-]{43}; Path=\/; Max-Age=7200; HttpOnly; SameSite=Lax$/,
  );
});
