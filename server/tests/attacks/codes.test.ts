import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { checkSignUpCode, requestSignUpCode } from "@alcove/contract/accounts";
import { CODE_DIGITS, CODE_MISSES } from "@alcove/contract/limits";
import { checkResetCode, requestResetCode } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, MINUTE_MS } from "../../src/platform/clock.ts";
import { openClient } from "../../src/testing/browser.ts";
import { storedEmailJobs } from "../../src/testing/jobs.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { agreed, wrongCode } from "../../src/testing/sign-up.ts";
import { eventually, type TestService } from "../../src/testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const config = { smtpUrl: mailbox.url, trustProxy: true, hasRateLimits: true };
const HOME = "198.51.100.7";

describe.each(["cross-site", "same-site"] as const)(
  "a %s page that the owner of an address visits",
  (site) => {
    test("cannot close the code that the owner's browser requested", async () => {
      const service = await serviceForTest({ config });
      const email = `visits-${site}@example.com`;
      const owner = openClient(service, { network: HOME });
      await owner.call(requestSignUpCode, { email, ...agreed });
      const code = (await mailbox.waitForEmail(email)).code!;

      // A form in a new window posts step 1, whose response may set cookies; later ones post wrong codes.
      await owner.call(requestSignUpCode, { email, ...agreed }, site);
      await mailbox.waitForEmail(email, 2);
      for (let by = 1; by <= 2 * CODE_MISSES; by++)
        await owner.call(checkSignUpCode, { email, code: wrongCode(code, by) }, site);

      expect(await owner.call(checkSignUpCode, { email, code })).toBe(true);
    });
  },
);

/** Requests a code from fresh browsers of ever new networks. Returns the distinct responses. */
async function requestFromEverywhere(service: TestService, email: string, times: number): Promise<string[]> {
  const responses = await Promise.all(
    Array.from({ length: times }, async (_, i) => {
      const client = openClient(service, { network: `203.0.113.${i}` });
      return JSON.stringify(await client.call(requestResetCode, { email }));
    }),
  );
  return [...new Set(responses)];
}

test("nobody learns from the emails of an address that others requested codes for it", async () => {
  const service = await serviceForTest({ config });
  const [quiet, busy] = [`quiet-${randomUUID()}@example.com`, `busy-${randomUUID()}@example.com`];
  const owner = openClient(service, { network: HOME });
  for (let i = 1; i <= 3; i++) {
    await owner.call(requestSignUpCode, { email: busy, ...agreed });
    await mailbox.waitForEmail(busy, i); // a newer request of the browser would end this one
  }

  expect(await requestFromEverywhere(service, quiet, 25)).toEqual(["{}"]);
  expect(await requestFromEverywhere(service, busy, 25)).toEqual(["{}"]);
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
  for (const email of [quiet, busy]) expect(mailbox.emails(email)).toHaveLength(15);

  // Nor from the limit of wrong codes, which does not count those of a browser that requested a code.
  const stranger = { network: "192.0.2.200" };
  for (let i = 0; i < 100; i++)
    await openClient(service, stranger).call(checkResetCode, { email: "x@example.com", code: "none" });
  for (const email of [quiet, busy]) {
    const asking = openClient(service, stranger);
    await asking.call(requestResetCode, { email });
    await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
    expect(await asking.call(checkResetCode, { email, code: "none" })).toBe(false);
  }
});

test("requests beyond the limit of an address replace no code, with or without a cookie", async () => {
  const service = await serviceForTest({ config });
  const email = "flooded@example.com";
  const clients = [true, false].map((keepsCookies) => openClient(service, { network: HOME, keepsCookies }));
  const codes: string[] = [];
  await clients[0]!.call(requestSignUpCode, { email: "cookie@example.com", ...agreed });
  for (const [i, client] of clients.entries()) {
    await client.call(requestSignUpCode, { email, ...agreed });
    codes.push((await mailbox.waitForEmail(email, i + 1)).code!);
  }

  await requestFromEverywhere(service, email, 40);
  for (const client of clients)
    expect(await client.call(requestSignUpCode, { email, ...agreed })).toEqual({});
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));

  expect(mailbox.emails(email)).toHaveLength(15);
  for (const [i, client] of clients.entries())
    expect(await client.call(checkSignUpCode, { email, code: codes[i]! })).toBe(true);
});

test("a botnet compares at most 225 codes a day with those of an address, then with 24^12", async () => {
  const service = await serviceForTest({ config });
  const email = "target@example.com";
  await service.member("target", { at: null, email });
  const asking = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const client = openClient(service, { network: `203.0.113.${i}` });
      await client.call(requestResetCode, { email });
      return client;
    }),
  );
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
  const codes = mailbox.emails(email).map(({ code }) => code);
  const guessOf = (i: number) => {
    const guess = String(i * 7919).padStart(CODE_DIGITS, "0");
    return codes.includes(guess) ? "none" : guess;
  };

  service.clock.advance(MINUTE_MS);
  // Each round guesses from the browsers that requested, from their networks and from elsewhere, all at once.
  for (let round = 0; round < 5; round++) {
    const guesses = asking.flatMap((client, i) =>
      [
        client,
        openClient(service, { network: `203.0.113.${i}` }),
        openClient(service, { network: `192.0.2.${i}` }),
      ].map((from, kind) => from.call(checkResetCode, { email, code: guessOf(60 * round + 3 * i + kind) })),
    );
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  }

  const stored = await service.db.selectFrom("codes").selectAll().where("is_silent", "=", false).execute();
  const compared = stored.reduce(
    (sum, row) => sum + row.browser_misses + row.network_misses + row.other_misses,
    0,
  );
  expect([stored.length, compared]).toEqual([15, 225]);
  for (const code of codes)
    expect(
      await openClient(service, { network: "192.0.2.99" }).call(checkResetCode, { email, code: code! }),
    ).toBe(false);
  service.clock.advance(DAY_MS - MINUTE_MS);
  await openClient(service, { network: HOME }).call(requestResetCode, { email });
  expect((await mailbox.waitForEmail(email, 16)).code).toMatch(/^[A-Z]{12}$/);
}, 120_000);

test.each([
  ["without a proxy", false, (invented: string) => invented],
  ["before the proxy's own entry", true, (invented: string) => `${invented}, 198.51.100.9`],
])("nobody gets another network's attempts by inventing addresses %s", async (_, trustProxy, forwarded) => {
  const service = await serviceForTest({ config: { ...config, trustProxy } });
  const email = `forwarded-${trustProxy}@example.com`;
  const client = (i: number) =>
    openClient(service, { network: forwarded(`203.0.113.${i}`), keepsCookies: false });
  await client(0).call(requestSignUpCode, { email, ...agreed });
  const code = (await mailbox.waitForEmail(email)).code!;

  for (let by = 1; by <= CODE_MISSES; by++)
    await client(by).call(checkSignUpCode, { email, code: wrongCode(code, by) });

  expect(await client(99).call(checkSignUpCode, { email, code })).toBe(false);
});
