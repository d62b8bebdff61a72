import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { expect, test } from "vitest";
import { botChallenge, requestSignUpCode } from "@alcove/contract/accounts";
import { HOUR_MS } from "../../platform/clock.ts";
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

test("returns no challenge and passes everything when the check is off", async () => {
  const service = await serviceForTest();

  await expectError(service.call(botChallenge, { action: "SignUp" }), "not_found");
  expect(await firstStep(service, "anything")).toEqual({});
  expect(await firstStep(service)).toEqual({});
});
