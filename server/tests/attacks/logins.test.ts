import { expect, test } from "vitest";
import { requestSignUpCode } from "@alcove/contract/accounts";
import { fetchChallenge, solve } from "../../src/testing/bot-check.ts";
import { guarded, PASSWORD, solvedToken, tryLogin } from "../../src/testing/logins.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { agreed } from "../../src/testing/sign-up.ts";

test(
  "passes the owner's solution while a stranger repeats one of too little work",
  { timeout: 60_000 },
  async () => {
    const service = await serviceForTest(guarded);
    await service.member("hanako", { at: null, password: PASSWORD });
    for (let i = 0; i < 10; i++) await tryLogin(service, { user_id: "hanako" });
    const networks = Array.from({ length: 20 }, (_, i) => `198.51.100.${i + 10}`);
    const early = await Promise.all(networks.map(async (ip) => solvedToken(service, "hanako", ip)));
    const spent = await solvedToken(service, "hanako");
    expect((await tryLogin(service, { user_id: "hanako", recaptchaToken: spent })).code).toBe(
      "wrong_credentials",
    );
    const tokens = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => solvedToken(service, "hanako", `203.0.113.${i + 10}`)),
    );

    const flood = { isOver: false };
    const repeat = async (ip: string, recaptchaToken: string) => {
      for (let i = 0; i < 90 && !flood.isOver; i++)
        await tryLogin(service, { user_id: "hanako", recaptchaToken }, ip);
    };
    const strangers = networks.map(async (ip, i) => repeat(ip, early[i]!));
    const codes = [];
    for (const [i, recaptchaToken] of tokens.entries()) {
      const right = { user_id: "hanako", password: PASSWORD, recaptchaToken };
      codes.push((await tryLogin(service, right, `203.0.113.${i + 10}`)).code);
    }
    flood.isOver = true;
    await Promise.all(strangers);

    expect(codes).toEqual(tokens.map(() => ""));
  },
);

test("limits the wrong passwords of all known devices of an account together", async () => {
  const service = await serviceForTest(guarded);
  await service.member("mallory", { at: null, password: PASSWORD });
  const devices = [];
  for (let i = 0; i < 8; i++)
    devices.push((await tryLogin(service, { user_id: "mallory", password: PASSWORD })).device!);

  const attempts = devices.flatMap((device, i) =>
    Array.from({ length: 10 }, async () =>
      tryLogin(service, { user_id: "mallory", device }, `198.51.100.${i}`),
    ),
  );
  const codes = (await Promise.all(attempts)).map(({ code }) => code);

  expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(30);
  expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(50);
});

test("passes a solved check when others of the network sent a hundred invented ones", async () => {
  const service = await serviceForTest(guarded);
  const form = { email: "a@example.com", recaptchaAction: "SignUp", ...agreed } as const;
  for (let i = 0; i < 100; i++)
    await service.call(requestSignUpCode, { ...form, recaptchaToken: "invented" });

  const recaptchaToken = await solve(await fetchChallenge(service, { action: "SignUp" }));

  expect(await service.call(requestSignUpCode, { ...form, recaptchaToken })).toEqual({});
});
