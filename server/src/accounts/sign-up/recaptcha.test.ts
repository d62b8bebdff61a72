import { afterAll, beforeEach, expect, test } from "vitest";
import { botChallenge, requestSignUpCode } from "@alcove/contract/accounts";
import { startRecaptcha } from "@alcove/test-services/recaptcha";
import { MINUTE_MS } from "../../platform/clock.ts";
import { readConfig, type Config } from "../../config.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestService } from "../../testing/test-service.ts";
import { agreed } from "../../testing/sign-up.ts";

const recaptcha = await startRecaptcha();
afterAll(() => recaptcha.close());
beforeEach(() => recaptcha.setBehaviour("well"));

const { botCheck, recaptchaSiteKey, recaptchaSecret, recaptchaVerifyUrl, recaptchaScriptUrl } = readConfig(
  recaptcha.variables,
);
const config: Partial<Config> = {
  botCheck,
  recaptchaSiteKey,
  recaptchaSecret,
  recaptchaVerifyUrl,
  recaptchaScriptUrl,
};
const FAILED = { error_message: "The automatic check failed. Please try again." };

const firstStep = (service: TestService, recaptchaToken?: string, recaptchaAction = "SignUp") =>
  service.call(requestSignUpCode, { email: "a@example.com", recaptchaAction, recaptchaToken, ...agreed });

test("passes a token once, even when many use it at the same time and Google accepts it again", async () => {
  const service = await serviceForTest({ config });
  const token = recaptcha.issueToken("SignUp");

  expect(await firstStep(service, token)).toEqual({});
  recaptcha.resetUses();
  expect(await firstStep(service, token)).toEqual(FAILED);
  const other = recaptcha.issueToken("SignUp");
  const responses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      recaptcha.resetUses();
      return firstStep(service, other);
    }),
  );

  expect(responses.filter((response) => response.error_message === undefined)).toHaveLength(1);
});

test("asks Google a hundred times an hour for a network", async () => {
  const service = await serviceForTest({ config: { ...config, hasRateLimits: true } });
  for (let i = 0; i < 100; i++) expect(await firstStep(service, "made up")).toEqual(FAILED);

  expect(await firstStep(service, recaptcha.issueToken("SignUp"))).toEqual(FAILED);
});

test("rejects everything else", async () => {
  const service = await serviceForTest({ config });
  const anHourAgo = new Date(Date.now() - 60 * MINUTE_MS).toISOString();
  const tokens = [
    undefined,
    "",
    "made up",
    "x".repeat(9_000),
    recaptcha.issueToken("ResetPassword"),
    recaptcha.issueToken("SignUp", { success: false }),
    recaptcha.issueToken("SignUp", { success: "true" }),
    recaptcha.issueToken("SignUp", { score: 0.4 }),
    recaptcha.issueToken("SignUp", { score: undefined }),
    recaptcha.issueToken("SignUp", { score: 7 }),
    recaptcha.issueToken("SignUp", { action: undefined }),
    recaptcha.issueToken("SignUp", { challenge_ts: anHourAgo }),
    recaptcha.issueToken("SignUp", { challenge_ts: undefined }),
  ];

  for (const token of tokens) expect(await firstStep(service, token)).toEqual(FAILED);

  expect(await firstStep(service, recaptcha.issueToken("ResetPassword"), "ResetPassword")).toEqual(FAILED);
  expect(await firstStep(service, recaptcha.issueToken("SignUp", { score: 0.5 }))).toEqual({});
});

test("rejects a token of another host when our own is known", async () => {
  const service = await serviceForTest({ config: { ...config, publicUrl: "https://quiet.example" } });

  expect(await firstStep(service, recaptcha.issueToken("SignUp", { hostname: "evil.example" }))).toEqual(
    FAILED,
  );
  expect(await firstStep(service, recaptcha.issueToken("SignUp", { hostname: "quiet.example" }))).toEqual({});
});

test("rejects all tokens when the secret is wrong", async () => {
  const service = await serviceForTest({ config: { ...config, recaptchaSecret: "another" } });

  expect(await firstStep(service, recaptcha.issueToken("SignUp"))).toEqual(FAILED);
});

test.each(["broken", "garbled", "hanging up"] as const)("fails while reCAPTCHA is %s", async (behaviour) => {
  const service = await serviceForTest({ config });
  recaptcha.setBehaviour(behaviour);

  expect(await firstStep(service, recaptcha.issueToken("SignUp"))).toEqual(FAILED);
});

test("sends reCAPTCHA the token and nothing about the visitor", async () => {
  const service = await serviceForTest({ config });

  await firstStep(service, recaptcha.issueToken("SignUp"));

  expect(recaptcha.requests().at(-1)).toBe("secret,response");
});

test("returns no challenge of our own", async () => {
  const service = await serviceForTest({ config });

  await expectError(service.call(botChallenge, { action: "SignUp" }), "not_found");
});
