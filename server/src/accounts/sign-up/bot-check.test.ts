import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { botChallenge, requestSignUpCode } from "@alcove/contract/accounts";
import { HOUR_MS } from "../../platform/clock.ts";
import { openClient } from "../../testing/browser.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestService } from "../../testing/test-service.ts";
import { agreed } from "../../testing/sign-up.ts";

const checked = { config: { botCheck: "altcha" } } as const;
const FAILED = { error_message: "The automatic check failed. Please try again." };

async function solve(service: TestService, action: "SignUp" | "ResetPassword" | "Login" = "SignUp") {
  const challenge = (await service.call(botChallenge, { action })) as unknown as Challenge;
  const solution = (await solveChallenge({ challenge, deriveKey }))!;
  return { challenge, solution };
}

const encode = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString("base64");

async function firstStep(service: TestService, recaptchaToken?: string) {
  return service.call(requestSignUpCode, {
    email: "a@example.com",
    recaptchaAction: "SignUp",
    recaptchaToken,
    ...agreed,
  });
}

test("passes a solved challenge once, even when many use it at the same time", async () => {
  const service = await serviceForTest(checked);
  const token = encode(await solve(service));

  const responses = await Promise.all(Array.from({ length: 10 }, () => firstStep(service, token)));

  expect(responses.filter((response) => response.error_message === undefined)).toHaveLength(1);
  expect(await firstStep(service, token)).toEqual(FAILED);
});

test("rejects missing, wrong, foreign and invented solutions", async () => {
  const service = await serviceForTest(checked);
  const visitor = await serviceForTest(checked);
  const { challenge, solution } = await solve(service);
  const other = await solve(service, "ResetPassword");
  const login = await solve(service, "Login");
  const { parameters } = challenge;
  const renamed = {
    ...other.challenge,
    parameters: { ...other.challenge.parameters, data: parameters.data },
  };

  const tokens = [
    undefined,
    "",
    "%%%",
    encode(null),
    encode([]),
    encode("text"),
    encode({ challenge }),
    "A".repeat(60_000),
    encode({ challenge, solution: { ...solution, derivedKey: "00".repeat(32) } }),
    encode({ challenge, solution: { counter: "1", derivedKey: 1 } }),
    encode({ challenge: { ...challenge, signature: "00" }, solution }),
    encode({ challenge: { ...challenge, parameters: { ...parameters, algorithm: "none" } }, solution }),
    encode({ challenge: { ...challenge, parameters: { ...parameters, keySignature: undefined } }, solution }),
    encode(other),
    encode(login),
    encode({ ...other, challenge: renamed }),
    encode(await solve(visitor)),
  ];
  for (const token of tokens) expect(await firstStep(service, token)).toEqual(FAILED);

  expect(await firstStep(service, encode({ challenge, solution }))).toEqual({});
});

test("accepts a challenge for half an hour, then deletes it", async () => {
  const service = await serviceForTest(checked);
  const token = encode(await solve(service));

  service.clock.advance(30 * 60_000);

  expect(await firstStep(service, token)).toEqual(FAILED);
});

test("limits challenges to a hundred an hour for a network", async () => {
  const service = await serviceForTest({ config: { botCheck: "altcha", hasRateLimits: true } });
  const token = encode(await solve(service));
  for (let i = 0; i < 99; i++) await service.call(botChallenge, { action: "SignUp" });
  await expectError(service.call(botChallenge, { action: "SignUp" }), "too_many_requests");

  expect(await firstStep(service, token)).toEqual({});
  service.clock.advance(HOUR_MS);
  expect(await firstStep(service, encode(await solve(service)))).toEqual({});
});

test("passes a solution only from the network that requested the challenge", async () => {
  const service = await serviceForTest({ config: { botCheck: "altcha", trustProxy: true } });
  const [here, there] = ["198.51.100.7", "198.51.100.8"].map((network) => openClient(service, { network }));
  const challenge = (await here!.call(botChallenge, { action: "SignUp" })) as unknown as Challenge;
  const recaptchaToken = encode({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
  const form = { email: "a@example.com", recaptchaAction: "SignUp", recaptchaToken, ...agreed };

  expect(await there!.call(requestSignUpCode, form)).toEqual(FAILED);
  expect(await here!.call(requestSignUpCode, form)).toEqual({});
});

const limited = { botCheck: "altcha", hasRateLimits: true, trustProxy: true } as const;

async function doublingsAt(service: TestService, network: string): Promise<number> {
  const { parameters } = await openClient(service, { network }).call(botChallenge, { action: "SignUp" });
  return (parameters as { data: { doublings: number } }).data.doublings;
}

test("raises the work with the sign-ups of a network and the /24 or /48 around it, for nobody else", async () => {
  const service = await serviceForTest({ config: limited });
  const at = async (networks: readonly string[]) => {
    const found: number[] = [];
    for (const network of networks) found.push(await doublingsAt(service, network));
    return found;
  };
  const times = <T>(length: number, value: (i: number) => T) => Array.from({ length }, (_, i) => value(i));

  expect(await at(times(13, () => "198.51.100.7"))).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5]);
  expect(await at(times(9, (i) => `203.0.113.${i}`))).toEqual(times(9, () => 0));
  expect(await at(times(9, (i) => `203.0.113.${9 + i}`))).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 5]);
  expect(await at(times(14, (i) => `2001:db8:1:${i}::1`))).toEqual([...times(12, () => 0), 1, 2]);
  expect(await at(["192.0.2.1", "2001:db8:2::1"])).toEqual([0, 0]);
  const unrelated = await openClient(service, { network: "198.51.100.7" }).call(botChallenge, {
    action: "ResetPassword",
  });
  expect(unrelated).toMatchObject({ parameters: { data: { doublings: 0 } } });
  service.clock.advance(HOUR_MS);
  expect(await doublingsAt(service, "198.51.100.7")).toBe(0);
});

test("raises the work for all only beyond ten times the median hour of 14 days", async () => {
  const service = await serviceForTest({ config: limited });
  service.clock.set("2026-05-05T12:30:00Z");
  const set = (hour: string, requests: number) =>
    sql`insert into sign_up_hours values (${hour}, ${requests})
      on conflict (hour) do update set requests = excluded.requests`.execute(service.db);
  const now = "2026-05-05T12:00:00Z";

  await set(now, 99);
  expect(await doublingsAt(service, "192.0.2.1")).toBe(0);
  expect(await doublingsAt(service, "198.51.100.1")).toBe(1);
  await sql`
    insert into sign_up_hours
    select ${now}::timestamptz - make_interval(hours => i), 20 from generate_series(1, 200) as i`.execute(
    service.db,
  );
  await set(now, 199);
  expect(await doublingsAt(service, "203.0.113.1")).toBe(0);
  expect(await doublingsAt(service, "198.18.0.1")).toBe(1);
  await set(now, 1_000);
  expect(await doublingsAt(service, "198.18.1.1")).toBe(3);
});

test("returns no challenge and passes everything when the check is off", async () => {
  const service = await serviceForTest();

  await expectError(service.call(botChallenge, { action: "SignUp" }), "not_found");
  expect(await firstStep(service, "anything")).toEqual({});
  expect(await firstStep(service)).toEqual({});
});
