import { beforeAll, expect, test } from "vitest";
import { logIn } from "@alcove/contract/accounts";
import { HOME, guarded, PASSWORD, tryLogin } from "../../testing/logins.ts";
import { ownService } from "../../testing/service-for-test.ts";
import { expectError, testService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

async function knownDevice(name: string): Promise<string> {
  await service.member(name, { at: null, password: PASSWORD });
  return (await service.call(logIn, { user_id: name, password: PASSWORD })).device!;
}

test("takes the email address on a known device only, and rejects it elsewhere like a wrong password", async () => {
  const device = await knownDevice("hanako");
  const other = await knownDevice("taro");
  const login = (user_id: string, more: object) =>
    service.call(logIn, { user_id, password: PASSWORD, ...more });

  await login("hanako@example.com", { device });
  const rejected = [
    login("hanako@example.com", {}),
    login("hanako@example.com", { device: other }),
    login("hanako@example.com", { device: "x".repeat(43) }),
    login("nobody@example.com", { device }),
    login("hanako@example.com", { device, password: "not this one" }),
    login("hanako", { password: "not this one" }),
  ];
  const errors = await Promise.all(rejected.map((each) => expectError(each, "wrong_credentials")));
  expect(new Set(errors.map(({ status, body }) => JSON.stringify({ status, body })))).toHaveLength(1);
});

test("accepts user ids and addresses as keyboards and copies write them", async () => {
  const device = await knownDevice("yuki");
  const written = [
    "  yuki@example.com ",
    "ＹＵＫＩ＠ｅｘａｍｐｌｅ．ｃｏｍ",
    "Yuki@Example。com",
    "　ｙｕｋｉ　",
    "@yuki",
  ];

  for (const user_id of written) await service.call(logIn, { user_id, password: PASSWORD, device });
});

test("counts both names of a member as one account on a known device", async () => {
  const limited = await ownService(guarded);
  await limited.member("rei", { at: null, password: PASSWORD });
  const { device = "" } = await tryLogin(limited, { user_id: "rei", password: PASSWORD });

  for (let i = 0; i < 10; i++) {
    const user_id = i % 2 === 0 ? "rei" : "rei@example.com";
    expect((await tryLogin(limited, { user_id, device })).code).toBe("wrong_credentials");
  }

  for (const user_id of ["rei", "rei@example.com"])
    expect((await tryLogin(limited, { user_id, password: PASSWORD, device })).status).toBe(429);
});

test("shows strangers by no limit that an address belongs to a user id", async () => {
  const limited = await ownService(guarded);
  await limited.member("mio", { at: null, password: PASSWORD });
  for (let i = 0; i < 10; i++) await tryLogin(limited, { user_id: "mio@example.com" }, `203.0.113.${i + 2}`);

  expect((await tryLogin(limited, { user_id: "mio@example.com" }, HOME)).code).toBe("bot_check_required");
  expect((await tryLogin(limited, { user_id: "mio", password: PASSWORD }, HOME)).status).toBe(200);
});
