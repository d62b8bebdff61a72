import { expect, test } from "vitest";
import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError } from "../../testing/test-service.ts";

test("returns the same error when the password is wrong or the user id is unknown", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("without", { at: null });

  const errors = [];
  for (const user_id of ["hanako", "unknown", "without", "x\u0000y", "😀".repeat(200)]) {
    errors.push(
      (await expectError(service.call(logIn, { user_id, password: "wrong" }), "wrong_credentials")).body,
    );
  }

  expect(new Set(errors.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(errors[0]?.["error_message"]).toBe("ID or password is incorrect");
});

test("opens a session for a user id as phones, other keyboards and copies write it", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const password = "quiet-evenings-7";

  for (const user_id of [
    "hanako ",
    " hanako",
    "hanako\u3000",
    "ｈａｎａｋｏ",
    "@hanako",
    "\u202AHanako\u202C\u200B",
  ])
    expect(await service.call(logIn, { user_id, password })).toHaveProperty("access");
  await expectError(
    service.call(logIn, { user_id: "hanako", password: `${password} ` }),
    "wrong_credentials",
  );
});

test("takes as long when the user id is unknown as when the password is wrong", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const times = { hanako: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < 18; i++) {
    const user_id = i % 2 ? "hanako" : "unknown";
    const start = performance.now();
    await expectError(service.call(logIn, { user_id, password: `wrong-${i}` }), "wrong_credentials");
    times[user_id].push(performance.now() - start);
  }
  const middle = (all: number[]) => all.toSorted((a, b) => a - b)[4]!;

  // Without Argon2 the request takes a tenth of the time.
  expect(middle(times.unknown)).toBeGreaterThan(middle(times.hanako) / 3);
});

test("keeps the device token of the first login", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const form = { user_id: "hanako", password: "quiet-evenings-7" };

  const first = await service.call(logIn, form);
  const second = await service.call(logIn, { ...form, device: first.device! });
  const odd = await service.call(logIn, { ...form, device: "not one of ours" });

  expect(second.device).toBe(first.device);
  expect(odd.device).toMatch(/^[\w-]{43}$/);
});

test("stores neither refresh tokens nor device tokens in plain text", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const session = await service.db.selectFrom("sessions").selectAll().executeTakeFirstOrThrow();

  expect(session.refresh_digest).toHaveLength(32);
  expect(session.encrypted_device_name!.toString("latin1")).not.toMatch(/browser|system/);
  expect(Object.values(session).map(String).join()).not.toContain(hanako.refresh.split(".")[1]);
  expect((await hanako.call(getOwnUser, {})).user.user_id).toBe("hanako");
});
