import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { calls, type Call } from "@alcove/contract";
import {
  deleteAccount,
  endOtherSessions,
  getOwnUser,
  getSessions,
  logIn,
  register,
  requestSignUpCode,
} from "@alcove/contract/accounts";
import { contactSupport } from "@alcove/contract/contact";
import { passUser, undoPass } from "@alcove/contract/discovery";
import { createOrder, getOrders, useCoupon } from "@alcove/contract/membership";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { changePassword, resetPassword } from "@alcove/contract/passwords";
import { addPicture, saveFilter, saveProfile } from "@alcove/contract/profiles";
import { transferBrokerage } from "@alcove/contract/referral";
import { buildRequest } from "@alcove/contract/request";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { startMailbox } from "@alcove/test-services/mail";
import { createCoupon } from "../../src/membership/index.ts";
import { dumpTables, encodingsOf, placesWith } from "../../src/testing/data-traces.ts";
import { hold } from "../../src/testing/hold.ts";
import { hanakoAndTaro, match } from "../../src/testing/match.ts";
import { transfersOf, referralTests } from "../../src/testing/referral.ts";
import { logInAgain } from "../../src/testing/log-in-again.ts";
import { rounds } from "../../src/testing/rounds.ts";
import { fileOf, quarters } from "../../src/testing/sample-pictures.ts";
import { agreed, requestResetCodeFor, requestSignUpCodeFor, signUpForm } from "../../src/testing/sign-up.ts";
import { countLockWaits } from "../../src/testing/statements.ts";
import { ownService } from "../../src/testing/service-for-test.ts";
import {
  eventually,
  testService,
  type TestMember,
  type TestService,
} from "../../src/testing/test-service.ts";
import { VALID_INPUTS } from "../attacks/valid-inputs.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/platform/clock.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const { paypal, shop, hanakoWhoInvitedTaro } = await referralTests();
const open = async () => shop({ smtpUrl: mailbox.url, supportEmail: "support@example.com" });

const PASSWORD = "quiet-evenings-7";
const OTHER_PASSWORD = "louder-mornings-8";

const LOGIN = { user_id: "goro", password: PASSWORD };
const SPRING = { coupon_id: "SPRING" };

async function createSpring({ ctx, clock }: TestService): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + DAY_MS);
  await createCoupon(ctx, { id: "SPRING", year: 0, month: 1, maxUses: 5, expiresAt });
}

type Sender = Pick<TestMember, "fetch">;

/** Sends a call as a stranger's client does. Returns status, cookie and body. */
async function send(sender: Sender, call: Call, input: object, key: string | null, query = "") {
  const { path, headers, ...request } = buildRequest(call, input as never);
  const response = await sender.fetch(path + query, {
    ...request,
    headers: { ...headers, ...(key !== null && { "idempotency-key": key }) },
  });
  const text = await response.text();
  return { status: response.status, cookie: response.headers.get("set-cookie"), text };
}

const codeIn = ({ text }: { text: string }): string => (JSON.parse(text) as { code: string }).code;

interface Scene {
  readonly sender: Sender;
  readonly call: Call;
  readonly input: object;
  readonly status: number;
  /** The changed rows. */
  readonly count?: () => Promise<unknown>;
}
type Play = (service: TestService) => Promise<Scene>;

const asHanako =
  (call: Call, input: object, more: Partial<Scene> = {}): Play =>
  async (service) => ({
    sender: await service.member("hanako", { at: null, password: PASSWORD }),
    call,
    input,
    status: 200,
    ...more,
  });

/** Changes of which a second one differs. All calls are tested below. */
const SCENES: Record<string, Play> = {
  async requestSignUpCode(service) {
    const email = `${randomUUID()}@example.com`;
    return { sender: service, call: requestSignUpCode, input: { email, ...agreed }, status: 200 };
  },
  async register(service) {
    const email = `${randomUUID()}@example.com`;
    const code = await requestSignUpCodeFor(service, mailbox, email);
    const input = signUpForm({ email, code, icon_process: false });
    return { sender: service, call: register, input, status: 201 };
  },
  async logIn(service) {
    const hanako = await service.member("hanako", { at: null, password: PASSWORD });
    const count = async () => (await hanako.call(getSessions, {})).sessions.length;
    return {
      sender: service,
      call: logIn,
      input: { user_id: "hanako", password: PASSWORD },
      status: 200,
      count,
    };
  },
  async resetPassword(service) {
    const email = `${randomUUID()}@example.com`;
    await service.member("hanako", { at: null, email, password: PASSWORD });
    const code = await requestResetCodeFor(service, mailbox, email);
    const passwords = { password: OTHER_PASSWORD, passwordConfirmation: OTHER_PASSWORD };
    const input = { email, code, ...passwords, return_user_id: true };
    return { sender: service, call: resetPassword, input, status: 200 };
  },
  changePassword: asHanako(changePassword, {
    password: PASSWORD,
    newPassword: OTHER_PASSWORD,
    newPasswordConfirmation: OTHER_PASSWORD,
  }),
  deleteAccount: asHanako(deleteAccount, {}, { status: 204 }),
  async useCoupon(service) {
    const hanako = await service.member("hanako", { at: null });
    await createSpring(service);
    const count = async () => service.db.selectFrom("grants").select("grant_id").execute();
    return { sender: hanako, call: useCoupon, input: SPRING, status: 200, count };
  },
  async createOrder(service) {
    const hanako = await service.member("hanako", { at: null });
    const count = async () => (await hanako.call(getOrders, {})).orders.length;
    const input = { currency: "USD", price: 10, year: 0, month: 1 };
    return { sender: hanako, call: createOrder, input, status: 200, count };
  },
  async transferBrokerage(service) {
    const { hanako } = await hanakoWhoInvitedTaro(service, 1);
    const count = async () => transfersOf(hanako);
    const input = { email: "payee@example.com", price: 16 };
    return { sender: hanako, call: transferBrokerage, input, status: 200, count };
  },
  async undoPass(service) {
    const hanako = await service.member("hanako", { sex: "female" });
    await service.member("taro", { sex: "male" });
    await hanako.call(passUser, { unlikedId: "taro" });
    return { sender: hanako, call: undoPass, input: {}, status: 200 };
  },
  async sendDm(service) {
    const { hanako, taro } = await hanakoAndTaro(service);
    await match(hanako, taro);
    const count = async () => (await hanako.call(getDms, { friendId: "taro" })).dms.length;
    const input = {
      receiverId: "taro",
      description: "Good evening",
      file: fileOf(await quarters().jpeg().toBuffer()),
    };
    return { sender: hanako, call: sendDm, input, status: 200, count };
  },
  async addPicture(service) {
    const hanako = await service.member("hanako", { at: null });
    const count = async () => (await hanako.call(getOwnUser, {})).user.pictures?.length;
    const input = { icon: fileOf(await quarters().jpeg().toBuffer()), icon_process: false };
    return { sender: hanako, call: addPicture, input, status: 200, count };
  },
};

test.each(Object.entries(SCENES))(
  "gives the first outcome again and changes nothing twice: %s",
  async (_, play) => {
    const service = await open();
    const { sender, call, input, status, count = async () => null } = await play(service);
    const key = randomUUID();

    const first = await send(sender, call, input, key);
    const after = await count();
    const second = await send(sender, call, input, key);

    expect(first.status, first.text).toBe(status);
    expect(second).toEqual(first);
    expect(await count()).toEqual(after);
  },
);

test.each<[name: string, status: number, body: RegExp]>([
  ["register", 400, /"invalid_input"/],
  ["resetPassword", 200, /^false$/],
  ["changePassword", 200, /^false$/],
  ["deleteAccount", 401, /"login_required"/],
  ["useCoupon", 422, /"coupon_used"/],
  ["transferBrokerage", 422, /"transfer_differs"/],
])("rejects a second change without the header: %s", async (name, status, body) => {
  const service = await open();
  const { sender, call, input, ...first } = await SCENES[name]!(service);

  expect((await send(sender, call, input, null)).status).toBe(first.status);
  const second = await send(sender, call, input, null);

  expect([second.status, second.text]).toEqual([status, expect.stringMatching(body)]);
});

const changing = calls.filter(({ method, name }) => method !== "GET" && name !== "deleteAccount");

test("repeats the outcome of every call that changes something, and rejects its key with other fields", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { paid: true, password: PASSWORD });
  const taro = await service.member("taro", { paid: true });
  await match(hanako, taro);
  const play = async (call: Call) => {
    const sender = call.access === "member" ? hanako : service;
    const key = randomUUID();
    const input = VALID_INPUTS[call.name]!;
    const first = await send(sender, call, input, key);
    const second = await send(sender, call, input, key);
    const other = await send(sender, call, input, key, "?more=1");
    return { name: call.name, first, second, other };
  };

  for (const { name, first, second, other } of await Promise.all(changing.map(play))) {
    expect([name, second]).toEqual([name, first]);
    const isKept = first.status < 500 && !/"invalid_input"/.test(first.text);
    if (isKept) expect([name, other.status, codeIn(other)]).toEqual([name, 422, "idempotency_key_reused"]);
  }
});

test("repeats a request with another solution of the bot check", async () => {
  const service = await open();
  const key = randomUUID();
  const question = {
    email: `${randomUUID()}@example.com`,
    message: "A question",
    recaptchaAction: "Contact",
  };

  const first = await send(service, contactSupport, { ...question, recaptchaToken: "first" }, key);
  const second = await send(service, contactSupport, { ...question, recaptchaToken: "second" }, key);

  expect(first.status, first.text).toBe(204);
  expect(second).toEqual(first);
});

test("gives every one of many simultaneous repeats the outcome of one change, at two processes", async () => {
  const service = await ownService();
  const beside = await testService({ beside: service });
  const { hanako } = await hanakoAndTaro(service);
  const hanakoBeside = service.memberAt(hanako, beside.url);
  const count = rounds(100);

  const pairs = Array.from({ length: count }, async (_, at) => {
    const input = { receiverId: "taro", description: `Good evening ${at}` };
    const key = randomUUID();
    return Promise.all([hanako, hanakoBeside].map((sender) => send(sender, sendDm, input, key)));
  });
  for (const [one, other] of await Promise.all(pairs)) {
    expect(one!.status, one!.text).toBe(200);
    expect(other).toEqual(one);
  }

  const { rows } = await sql`select from messages`.execute(service.db);
  expect(rows).toHaveLength(count);
});

/** The first request waits until `table` is released. */
async function couponInUse() {
  const service = await open();
  const hanako = await service.member("hanako", { at: null });
  await createSpring(service);
  const key = randomUUID();
  const table = await hold(service.db, "lock table coupon_uses in access exclusive mode");
  const first = send(hanako, useCoupon, SPRING, key);
  await eventually(async () => expect(await countLockWaits(service)).toBe(1));
  return { service, hanako, key, first, table };
}

test("lets a repeat wait for the first request", async () => {
  const { hanako, key, first, table } = await couponInUse();

  const second = send(hanako, useCoupon, SPRING, key);
  const other = await send(hanako, useCoupon, { coupon_id: "AUTUMN" }, key);
  expect(codeIn(other)).toBe("idempotency_key_reused");
  await table.release();

  expect((await first).status).toBe(200);
  expect(await second).toEqual(await first);
});

test("runs a request anew whose process died before it recorded the outcome", async () => {
  const { service, hanako, key, first, table } = await couponInUse();
  const running = await service.db.selectFrom("call_outcomes").selectAll().executeTakeFirstOrThrow();
  await table.release();
  expect((await first).status).toBe(200);
  await service.db.updateTable("call_outcomes").set(running).execute();

  service.clock.advance(2 * MINUTE_MS);

  expect(codeIn(await send(hanako, useCoupon, SPRING, key))).toBe("coupon_used");
  expect(codeIn(await send(hanako, useCoupon, SPRING, key))).toBe("coupon_used");
});

test("keeps the outcomes of accounts and addresses apart", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  await createSpring(service);
  const key = randomUUID();

  for (const sender of [hanako, taro])
    expect(await send(sender, useCoupon, SPRING, key)).toMatchObject({ status: 200 });
  const [one, other] = [randomUUID(), randomUUID()].map((name) => `${name}@example.com`);
  for (const email of [one!, other!]) {
    const { status, cookie } = await send(service, requestSignUpCode, { email, ...agreed }, key);
    expect([status, cookie]).toEqual([200, expect.stringContaining("visit=")]);
    await mailbox.waitForEmail(email);
  }
  const { rows } = await sql`select from grants`.execute(service.db);
  expect(rows).toHaveLength(2);
});

test("gives an outcome again in another session of the account", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { at: null });
  await createSpring(service);
  const key = randomUUID();

  const first = await send(hanako, useCoupon, SPRING, key);

  expect(await send(await logInAgain(service, hanako), useCoupon, SPRING, key)).toEqual(first);
});

test("forgets an outcome after an hour, and deletes it within two", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { at: null });
  await createSpring(service);
  const key = randomUUID();
  const first = await send(hanako, useCoupon, SPRING, key);

  service.clock.advance(59 * MINUTE_MS);
  expect(await send(await logInAgain(service, hanako), useCoupon, SPRING, key)).toEqual(first);
  service.clock.advance(MINUTE_MS);
  expect(codeIn(await send(await logInAgain(service, hanako), useCoupon, SPRING, key))).toBe("coupon_used");
  service.clock.advance(2 * HOUR_MS);
  await service.ctx.jobs.add(service.db, "sweep_outcomes", {});
  await eventually(async () =>
    expect(await service.db.selectFrom("call_outcomes").selectAll().execute()).toEqual([]),
  );
});

test("overwrites no newer change when a late repeat arrives", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { at: null });
  const key = randomUUID();

  const first = await send(hanako, saveProfile, { username: "First" }, key);
  await hanako.call(saveProfile, { username: "Newer" });

  expect(await send(hanako, saveProfile, { username: "First" }, key)).toEqual(first);
  expect((await hanako.call(getOwnUser, {})).user.username).toBe("Newer");
});

test("gives an ended session no content, and dead tokens of a login that was ended", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { at: null, password: PASSWORD });
  const [saved, login] = [randomUUID(), randomUUID()];
  await send(hanako, saveProfile, { username: "Hanako" }, saved);
  const credentials = { user_id: "hanako", password: PASSWORD };
  const first = await send(service, logIn, credentials, login);
  const { access } = JSON.parse(first.text) as { access: string };
  await service.memberAt({ ...hanako, access }).call(endOtherSessions, {});
  await service.ctx.db.updateTable("sessions").set({ ended_at: service.clock.now() }).execute();

  expect(codeIn(await send(hanako, saveProfile, { username: "Hanako" }, saved))).toBe("login_required");
  expect(await send(service, logIn, credentials, login)).toEqual(first);
  expect(codeIn(await send(service.memberAt({ ...hanako, access }), saveFilter, {}, null))).toBe(
    "login_required",
  );
});

test("stores no outcome that the same request could improve", async () => {
  const service = await open();
  const hanako = await service.member("hanako", { at: null });
  const order = { currency: "USD", price: 10, year: 0, month: 1 } as const;
  const [invalid, failed] = [randomUUID(), randomUUID()];

  expect(codeIn(await send(hanako, saveFilter, { search_min_age: "young" }, invalid))).toBe("invalid_input");
  expect((await send(hanako, saveFilter, { search_min_age: 30 }, invalid)).status).toBe(200);
  await paypal.injectFault({ call: "create order", fault: "failing", times: 9 });
  expect((await send(hanako, createOrder, order, failed)).status).toBe(503);
  await paypal.clearFaults();
  expect((await send(hanako, createOrder, order, failed)).status).toBe(200);
});

test.each(["", "short", "x".repeat(65), "with a space in the middle", "a".repeat(16) + ", second"])(
  "rejects the key %j, and ignores it for reads",
  async (key) => {
    const service = await open();
    const hanako = await service.member("hanako", { at: null });
    const rejected = await send(hanako, saveFilter, { search_min_age: 30 }, key);

    expect([rejected.status, codeIn(rejected)]).toEqual([400, "idempotency_key_invalid"]);
    expect(rejected.text).toContain("16 to 64 visible ASCII characters");
    expect((await send(hanako, getOwnUser, {}, key)).status).toBe(200);
  },
);

test("stores an outcome so that a stolen database reveals nothing of it", async () => {
  const service = await open();
  const { hanako } = await hanakoAndTaro(service);
  const key = randomUUID();
  const secrets = [
    key,
    "someone@example.com",
    "someone",
    "never_see",
    "addNeverSee",
    "hanako",
    hanako.access,
  ];
  await send(hanako, addNeverSee, { who: "someone@example.com" }, key);
  const login = await send(await service.member("goro", { password: PASSWORD }), logIn, LOGIN, key);
  const { access, refresh } = JSON.parse(login.text) as { access: string; refresh: string };
  await send(hanako, blockUser, { userId: "taro" }, randomUUID());

  const places = (await dumpTables(service.databaseUrl)).filter(
    ({ name }) => name === "public.call_outcomes",
  );
  const rows = await service.db.selectFrom("call_outcomes").selectAll().execute();

  expect(rows).toHaveLength(3);
  for (const secret of [...secrets, access, refresh])
    expect([secret, ...placesWith(encodingsOf(secret), places)]).toEqual([secret]);
  expect(new Set(rows.map(({ encrypted_outcome }) => encrypted_outcome.length)).size).toBe(1);
  expect(rows.every(({ expires_at }) => expires_at.getTime() % HOUR_MS === 0)).toBe(true);
});

test("limits the stored outcomes of a member", async () => {
  const service = await ownService({ config: { hasRateLimits: true } });
  const hanako = await service.member("hanako", { at: null });
  const limit = { name: "repeatable_requests", max: 60, windowMs: HOUR_MS };
  for (let at = 0; at < limit.max; at++)
    await service.ctx.rateLimits.consume(limit, `member ${hanako.memberId}`);

  const rejected = await send(hanako, saveFilter, { search_min_age: 30 }, randomUUID());

  expect([rejected.status, codeIn(rejected)]).toEqual([429, "too_many_requests"]);
  expect((await send(hanako, saveFilter, { search_min_age: 30 }, null)).status).toBe(200);
});

test("documents the header for each call that changes something, and admits it from the native app", async () => {
  const service = await open();
  const document = (await (await service.fetch("/openapi.json")).json()) as {
    paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
  };
  for (const { method, path } of calls) {
    const { parameters } = document.paths[`/{lang}${path}`]![method.toLowerCase()]!;
    expect(parameters.some(({ name }) => name === "idempotency-key")).toBe(method !== "GET");
  }
  const preflight = await service.fetch("/en/users/api/user", {
    method: "OPTIONS",
    headers: { origin: "capacitor://localhost", "access-control-request-method": "PATCH" },
  });
  expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
});
