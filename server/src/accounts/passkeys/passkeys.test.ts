import argon2 from "@node-rs/argon2";
import { beforeAll, expect, test, vi } from "vitest";
import {
  confirmPassword,
  deleteAccount,
  getOwnUser,
  logIn,
  logInSocially,
  refreshTokens,
  register,
} from "@alcove/contract/accounts";
import { PASSKEY_OPTIONS_MINUTES, PASSKEYS_MAX } from "@alcove/contract/limits";
import {
  addPasskey,
  createRecoveryCodes,
  getPasskeys,
  logInWithPasskey,
  removePasskey,
  renamePasskey,
  setSecondFactor,
  startPasskey,
  startPasskeyLogin,
} from "@alcove/contract/passkeys";
import { DAY_MS, MINUTE_MS } from "../../platform/clock.ts";
import { dumpTables, encodingsOf, placesWith } from "../../testing/data-traces.ts";
import { fakeGoogleForFile, googleForm } from "../../testing/google.ts";
import { logInBy, originOf, passkeyOf, responseOf } from "../../testing/member-passkeys.ts";
import { createPasskey, type Passkey } from "../../testing/passkey.ts";
import { rounds } from "../../testing/rounds.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, testService, type TestMember, type TestService } from "../../testing/test-service.ts";

const password = "quiet-evenings-7";
const { google, config: withGoogle } = await fakeGoogleForFile();
/** One address for both processes, as behind a proxy: a passkey of another origin is refused. */
const behindProxy = { ...withGoogle, publicUrl: "http://localhost:3000" };
let service: TestService;
let beside: TestService;
beforeAll(async () => {
  service = await testService({ config: behindProxy });
  beside = await testService({ config: behindProxy, beside: service });
});

const withPassword = (name: string) => service.member(name, { at: null, password });
const idIn = async (member: TestMember) => (await member.call(getPasskeys, {})).passkeys[0]!.id;

/** A member whose password alone opens nothing. */
async function guarded(name: string): Promise<{ member: TestMember; passkey: Passkey; codes: string[] }> {
  const member = await withPassword(name);
  const passkey = await passkeyOf(service, member, { password });
  const { codes } = await member.call(createRecoveryCodes, {});
  await member.call(setSecondFactor, { second_factor: true });
  return { member, passkey, codes };
}

test("logs in with one of several named passkeys, and lists them with the days of their use", async () => {
  const natsu = await withPassword("natsu");
  const phone = await passkeyOf(service, natsu, { password, name: " Phone\n" });
  const key = await passkeyOf(service, natsu, { by: phone, name: "Key" });
  const today = service.clock.now().toISOString().slice(0, 10);

  const tokens = await logInBy(service, key);

  const there = service.memberAt({ ...natsu, ...tokens });
  const { passkeys, ...rest } = await there.call(getPasskeys, {});
  const days = { id: expect.any(String) as string, created_on: today, used_on: today };
  expect(passkeys).toEqual([
    { ...days, name: "Phone" },
    { ...days, name: "Key" },
  ]);
  expect(rest).toEqual({ second_factor: false, recovery_codes: 0 });
  expect((await there.call(getOwnUser, {})).user.has_passkey).toBe(true);
  await service.call(logIn, { user_id: "natsu", password, device: tokens.device });
});

test("renames and removes passkeys of the caller only, and a removed one opens nothing", async () => {
  const [yuki, rei] = [await withPassword("yuki"), await withPassword("rei")];
  const passkey = await passkeyOf(service, yuki, { password });
  await passkeyOf(service, rei, { password });
  const id = await idIn(yuki);

  for (const other of [await idIn(rei), "unknown"]) {
    await expectError(yuki.call(renamePasskey, { id: other, name: "Mine" }), "passkey_not_found");
    await expectError(yuki.call(removePasskey, { id: other }), "passkey_not_found");
  }
  const { passkeys } = await yuki.call(renamePasskey, { id, name: "Kitchen" });
  expect(passkeys.map(({ name }) => name)).toEqual(["Kitchen"]);
  await logInBy(service, passkey);
  expect((await yuki.call(removePasskey, { id })).passkeys).toEqual([]);
  await expectError(logInBy(service, passkey), "wrong_passkey");
  await passkeyOf(service, yuki, { password, passkey });
});

test("names no member in the options, which are the same for everybody", async () => {
  const aoi = await withPassword("aoi-secret");
  const passkey = await passkeyOf(service, aoi, { password });

  const creation = await aoi.call(startPasskey, { password }, "ja");
  const request = await service.call(startPasskeyLogin, {});
  const again = await service.call(startPasskeyLogin, {});

  expect(JSON.stringify(creation)).not.toMatch(/aoi|Alcove/i);
  expect(creation).toMatchObject({
    rp: { id: "localhost", name: "localhost" },
    user: { name: "メモ", displayName: "メモ" },
    excludeCredentials: [{ id: await idIn(aoi) }],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  expect({ ...request, challenge: "" }).toEqual({ ...again, challenge: "" });
  expect(request).not.toHaveProperty("allowCredentials");
  await logInBy(service, passkey);
});

test("asks for the password or a passkey before a new one, and for neither of a member without both", async () => {
  const emi = await withPassword("emi");
  for (const proof of [{}, { password: "not this one" }, { response: {} }])
    await expectError(emi.call(startPasskey, proof), "not_confirmed");
  const first = await passkeyOf(service, emi, { password });
  const other = await passkeyOf(service, await withPassword("emis-friend"), { password });
  await expectError(emi.call(startPasskey, { response: await responseOf(service, other) }), "not_confirmed");
  await passkeyOf(service, emi, { by: first });

  const google = await service.member("google-only", { at: null });
  const only = await passkeyOf(service, google);
  await expectError(google.call(startPasskey, {}), "not_confirmed");
  await passkeyOf(service, google, { by: only });
});

test("adds a passkey once, in the session of its options, within their minutes", async () => {
  const mio = await withPassword("mio");
  const elsewhere = service.memberAt({
    ...mio,
    ...(await service.call(logIn, { user_id: "mio", password })),
  });
  const origin = originOf(service);
  const add = (member: TestMember, options: Record<string, unknown>, at = origin) =>
    member.call(addPasskey, { name: "Phone", response: createPasskey().register(options, at) });

  await expectError(add(elsewhere, await mio.call(startPasskey, { password })), "not_confirmed");
  await expectError(
    add(mio, await mio.call(startPasskey, { password }), "http://evil.example"),
    "not_confirmed",
  );
  await expectError(add(mio, await service.call(startPasskeyLogin, {})), "not_confirmed");
  const options = await mio.call(startPasskey, { password });
  const response = createPasskey().register(options, origin);
  await mio.call(addPasskey, { name: "Phone", response });
  await expectError(
    beside.memberAt(mio, beside.url).call(addPasskey, { name: "Again", response }),
    "not_confirmed",
  );
  await expectError(add(mio, options), "not_confirmed");
  const unverified = createPasskey({ isVerified: false }).register(
    await mio.call(startPasskey, { password }),
    origin,
  );
  await expectError(mio.call(addPasskey, { name: "Key", response: unverified }), "not_confirmed");
  expect((await mio.call(getPasskeys, {})).passkeys).toHaveLength(1);
});

test("keeps at most twenty passkeys, also when several are added at the same time", async () => {
  const nao = await service.member("nao", { at: null });
  const options = await Promise.all(
    Array.from({ length: PASSKEYS_MAX + 2 }, () => nao.call(startPasskey, {})),
  );
  const outcomes = await Promise.allSettled(
    options.map((each) =>
      nao.call(addPasskey, { name: "Key", response: createPasskey().register(each, originOf(service)) }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
  await expectError(nao.call(startPasskey, {}), "passkeys_full");
});

test("refuses another origin, a replayed or late challenge, and a stranger's passkey", async () => {
  const late = await serviceForTest();
  const ken = await late.member("ken", { at: null, password });
  const passkey = await passkeyOf(late, ken, { password });
  const origin = originOf(late);
  const logInAs = async (response: Record<string, unknown>) => late.call(logInWithPasskey, { response });
  const refuse = async (response: Record<string, unknown>) => expectError(logInAs(response), "wrong_passkey");

  await refuse(passkey.logIn(await late.call(startPasskeyLogin, {}), "http://evil.example"));
  await refuse(passkey.logIn(await late.call(startPasskeyLogin, {}), "http://localhost:1"));
  const own = await ken.call(startPasskey, { password });
  await refuse(passkey.logIn(own, origin));
  await refuse(createPasskey().logIn(await late.call(startPasskeyLogin, {}), origin));
  await refuse({});
  const right = await responseOf(late, passkey);
  await refuse({ ...right, response: { ...(right["response"] as object), signature: "AAAA" } });
  const used = await responseOf(late, passkey);
  await logInAs(used);
  await refuse(used);
  const old = await responseOf(late, passkey);
  late.clock.advance(PASSKEY_OPTIONS_MINUTES * MINUTE_MS);
  await refuse(old);
  await logInBy(late, passkey);
});

test("takes a passkey whose device did not check its owner only beside the password", async () => {
  const { passkey } = await guarded("jun");
  const careless = passkey.copy({ isVerified: false });
  const response = await responseOf(service, careless);

  await expectError(service.call(logInWithPasskey, { response }), "wrong_passkey");
  const again = await responseOf(service, careless);
  await service.call(logIn, { user_id: "jun", password, response: again });
});

test("detects a copy of a passkey by its count, also when both are used at two processes at the same time", async () => {
  const sora = await withPassword("sora");
  const passkey = await passkeyOf(service, sora, { password });
  for (let i = 0; i < rounds(10); i++) {
    const copy = passkey.copy();
    const responses = [await responseOf(service, passkey), await responseOf(service, copy)];

    const outcomes = await Promise.allSettled(
      [service, beside].map((at, n) => at.call(logInWithPasskey, { response: responses[n]! })),
    );

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: "wrong_passkey" }) }),
    );
  }
  const uncounted = await passkeyOf(service, sora, { password, passkey: createPasskey({ hasCount: false }) });
  await logInBy(service, uncounted);
  await logInBy(service, uncounted);
});

test("opens one session for one challenge that is used at two processes at the same time", async () => {
  const kai = await withPassword("kai");
  const passkey = await passkeyOf(service, kai, { password, passkey: createPasskey({ hasCount: false }) });
  for (let i = 0; i < rounds(10); i++) {
    const response = await responseOf(service, passkey);
    const outcomes = await Promise.allSettled(
      [service, beside, service, beside].map((at) => at.call(logInWithPasskey, { response })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  }
});

test("asks for a passkey beside the password, and takes a passkey alone", async () => {
  const { passkey } = await guarded("rika");
  const { passkey: foreign } = await guarded("rikas-friend");
  const first = { user_id: "rika", password };

  const { status, body } = await expectError(service.call(logIn, first), "passkey_required");
  expect(status).toBe(401);
  const options = body["options"] as Record<string, unknown>;
  expect(options["allowCredentials"]).toHaveLength(1);
  await expectError(service.call(logIn, { ...first, password: "wrong" }), "wrong_credentials");
  await expectError(
    service.call(logIn, { ...first, response: await responseOf(service, foreign) }),
    "wrong_passkey",
  );
  await expectError(service.call(logIn, { ...first, response: {} }), "wrong_passkey");
  await expectError(
    service.call(logIn, { user_id: "rika", password: "wrong", response: await responseOf(service, passkey) }),
    "wrong_credentials",
  );
  const response = passkey.logIn(options, originOf(service));
  await service.call(logIn, { ...first, response });
  await expectError(service.call(logIn, { ...first, response }), "wrong_passkey");
  await logInBy(service, passkey);
});

test("makes recovery codes without a proof just after a login only", async () => {
  const own = await ownService({ config: withGoogle });
  const member = await own.member("left-open", { at: null, password });
  const { codes } = await member.call(createRecoveryCodes, {});
  await expectError(member.call(createRecoveryCodes, { password: "not this one" }), "not_confirmed");
  const passkey = await passkeyOf(own, member, { password });
  own.clock.advance(16 * MINUTE_MS);
  const { access } = await own.call(refreshTokens, { refresh: member.refresh });
  const later = own.memberAt({ ...member, access });

  await expectError(later.call(createRecoveryCodes, {}), "not_confirmed");
  await own.call(logIn, { user_id: "left-open", recovery_code: codes[0]! });
  expect((await later.call(getPasskeys, {})).recovery_codes).toBe(7);

  await later.call(createRecoveryCodes, { password });
  await later.call(createRecoveryCodes, { response: await responseOf(own, passkey) });
});

test("accepts each recovery code once in place of the passkey, and only where it is needed", async () => {
  const { member, codes } = await guarded("mari");
  expect(new Set(codes)).toHaveLength(8);
  const first = { user_id: "mari", password };
  const left = async () => (await member.call(getPasskeys, {})).recovery_codes;

  await expectError(
    service.call(logIn, { ...first, recovery_code: "AAAA-BBBB-CCCC" }),
    "wrong_recovery_code",
  );
  await expectError(
    service.call(logIn, { ...first, password: "x", recovery_code: codes[0]! }),
    "wrong_credentials",
  );
  await expectError(service.call(logIn, { user_id: "mari", recovery_code: codes[0]! }), "wrong_credentials");
  expect(await left()).toBe(8);
  for (const code of codes.slice(0, 2)) {
    const outcomes = await Promise.allSettled(
      [service, beside, service, beside].map((at) => at.call(logIn, { ...first, recovery_code: code })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  }
  await service.call(logIn, { ...first, recovery_code: ` ${codes[2]!.toLowerCase().replaceAll("-", "")} ` });
  expect(await left()).toBe(5);
  await expectError(service.call(logIn, { ...first, recovery_code: codes[2]! }), "wrong_recovery_code");

  await member.call(setSecondFactor, { second_factor: false });
  await service.call(logIn, { ...first, recovery_code: codes[3]! });
  await service.call(logIn, { ...first, recovery_code: "AAAA-BBBB-CCCC" });
  expect(await left()).toBe(5);
  const { codes: fresh } = await member.call(createRecoveryCodes, {});
  await expectError(service.call(logIn, { user_id: "mari", recovery_code: codes[3]! }), "wrong_credentials");
  await service.call(logIn, { user_id: "mari", recovery_code: fresh[0]! });
  expect(await left()).toBe(7);
});

test("recovers from a lost passkey by a code, and its removal switches the second factor off", async () => {
  const { member, codes } = await guarded("lost");
  const tokens = await service.call(logIn, { user_id: "lost", password, recovery_code: codes[0]! });
  const again = service.memberAt({ ...member, ...tokens });

  expect(await again.call(removePasskey, { id: await idIn(again) })).toEqual({
    passkeys: [],
    second_factor: false,
    recovery_codes: 7,
  });
  await service.call(logIn, { user_id: "lost", password });
  await expectError(again.call(setSecondFactor, { second_factor: true }), "passkey_missing");
});

test("asks for the second factor at a login with Google too", async () => {
  const accessToken = await google.issueToken("taro@example.com");
  await service.call(
    register,
    googleForm(accessToken, { userId: "both", password, passwordConfirmation: password }),
  );
  const token = { provider: "google", accessToken } as const;
  const { user, ...tokens } = await service.call(logInSocially, token);
  expect(user!.has_passkey).toBe(false);
  const row = await service.db
    .selectFrom("sessions")
    .select("member_no")
    .orderBy("use_no", "desc")
    .executeTakeFirstOrThrow();
  const both = service.memberAt({ user_id: "both", memberId: row.member_no, ...tokens } as TestMember);
  const passkey = await passkeyOf(service, both, { password });
  await both.call(setSecondFactor, { second_factor: true });

  const { body } = await expectError(service.call(logInSocially, token), "passkey_required");
  const response = passkey.logIn(body["options"] as Record<string, unknown>, originOf(service));
  await service.call(logInSocially, { ...token, response });
});

test("confirms the caller with a passkey of theirs, once", async () => {
  const [tomo, miki] = [await withPassword("tomo"), await withPassword("miki")];
  const passkey = await passkeyOf(service, tomo, { password });

  const response = await responseOf(service, passkey);
  expect(await tomo.call(confirmPassword, { response })).toBe(true);
  expect(await tomo.call(confirmPassword, { response })).toBe(false);
  expect(await miki.call(confirmPassword, { response: await responseOf(service, passkey) })).toBe(false);
  expect(await tomo.call(confirmPassword, { password })).toBe(true);
  await expectError(tomo.call(confirmPassword, {}), "invalid_input");
  const form = new URLSearchParams({ response: JSON.stringify(await responseOf(service, passkey)) });
  const sent = await tomo.fetch("/en/api/confirm-password", { method: "POST", body: form });
  expect(await sent.json()).toBe(true);
});

test("hashes no password for a passkey, and floods of strangers lock no member out", async () => {
  const flooded = await ownService({ config: { hasRateLimits: true, trustProxy: true, botCheck: "altcha" } });
  const rio = await flooded.member("rio", { at: null, password });
  const passkey = await passkeyOf(flooded, rio, { password });
  const stranger = createPasskey();
  const verify = vi.spyOn(argon2, "verify");

  const responses = await Promise.all(Array.from({ length: 70 }, () => responseOf(flooded, stranger)));
  const codes = await Promise.all(
    responses.map((response) =>
      flooded.call(logInWithPasskey, { response }).catch((error: { code: string }) => error.code),
    ),
  );
  expect(codes.filter((code) => code === "wrong_passkey")).toHaveLength(60);
  expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(10);
  await logInBy(flooded, passkey);
  expect(verify).not.toHaveBeenCalled();
  verify.mockRestore();
});

test("belongs to the host of PUBLIC_URL, and Android's app signs with its certificate", async () => {
  const certificate = Array.from({ length: 32 }, () => "AB").join(":");
  const hosted = await ownService({
    config: { publicUrl: "https://alcove.example", androidCertificates: [certificate] },
  });
  const hana = await hosted.member("hana", { at: null, password });
  const passkey = await passkeyOf(hosted, hana, { password });
  const options = await hosted.call(startPasskeyLogin, {});

  expect(options).toMatchObject({ rpId: "alcove.example" });
  const hash = Buffer.from("ab".repeat(32), "hex").toString("base64url");
  await hosted.call(logInWithPasskey, {
    response: passkey.logIn(options, "https://alcove.example", `android:apk-key-hash:${hash}`),
  });
  const local = passkey.logIn(await hosted.call(startPasskeyLogin, {}), "http://localhost:3000");
  await expectError(hosted.call(logInWithPasskey, { response: local }), "wrong_passkey");
});

test("stores passkeys and codes unreadable, and deletes them with the account", async () => {
  const own = await serviceForTest();
  const yui = await own.member("yui", { at: null, password });
  const passkey = await passkeyOf(own, yui, { password, name: "Kitchen drawer" });
  const { codes } = await yui.call(createRecoveryCodes, {});
  const id = await idIn(yui);
  const places = await dumpTables(own.databaseUrl);
  for (const secret of ["Kitchen drawer", id, codes[0]!, codes[0]!.replaceAll("-", "")])
    expect(placesWith(encodingsOf(secret), places)).toEqual([]);

  await yui.call(deleteAccount, {});

  for (const table of ["passkeys", "passkey_index", "recovery_codes"] as const)
    expect(await own.db.selectFrom(table).select("member_no").execute()).toEqual([]);
  await expectError(logInBy(own, passkey), "wrong_passkey");
  own.clock.advance(DAY_MS);
  await own.ctx.jobs.add(own.db, "sweep_accounts", {});
  await vi.waitFor(async () =>
    expect(await own.db.selectFrom("spent_challenges").select("expires_at").execute()).toEqual([]),
  );
});
