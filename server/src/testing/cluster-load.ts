import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { getOwnUser, logIn, register, requestSignUpCode } from "@alcove/contract/accounts";
import { getOptions, likeUser } from "@alcove/contract/discovery";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { priceOf } from "@alcove/contract/prices";
import { saveFilter } from "@alcove/contract/profiles";
import type { Mailbox } from "@alcove/test-services/mail";
import type { FakePayPal } from "@alcove/test-services/paypal";
import { match } from "./match.ts";
import { readAllMessages } from "./read-all-messages.ts";
import { agreed, signUpForm } from "./sign-up.ts";
import { CallError, eventually, type TestMember, type TestService } from "./test-service.ts";

const PAIRS = 16;
const TARGETS = 20;
const LIKE_EVERY = 10;
const RETRY_MS = 200;

interface Pair {
  readonly one: TestMember;
  readonly other: TestMember;
  /** Acknowledged texts, in order. */
  readonly sent: string[];
  /** Ids of members whose like was acknowledged. */
  readonly liked: number[];
}

interface Others {
  readonly signedUp: string[];
  readonly paid: { readonly member: TestMember; readonly orderIds: string[] };
}

/** Each member repeats a rejected call, and checks that they see their own changes. */
export interface Load {
  rejections(): number;
  stop(): Promise<void>;
  /** Compares the stored data with the acknowledged changes. */
  expectNothingLost(): Promise<void>;
}

interface World {
  readonly mailbox: Mailbox;
  readonly paypal: FakePayPal;
}

/** With a mailbox and PayPal, also changes filters, cards, sign-ups and purchases. */
export async function startLoad(service: TestService, world?: World): Promise<Load> {
  const pairs = await Promise.all(Array.from({ length: PAIRS }, (_, i) => createPair(service, i)));
  const targets = await Promise.all(
    Array.from({ length: TARGETS }, (_, i) => service.member(`target${i}`, { sex: "male" })),
  );
  const buyer = await service.member("buyer");
  const others: Others = { signedUp: [], paid: { member: buyer, orderIds: [] } };
  const calls = new Repeater();
  const end = new AbortController();
  const forever = async (act: (n: number) => Promise<void>) => {
    for (let n = 0; !end.signal.aborted; n++) await act(n);
  };
  const lanes = pairs.map((pair) =>
    forever((n) => {
      // An id of the same millisecond can be lower than the last one: such a message is stored alone.
      service.clock.set(new Date());
      return chat(calls, pair, n, targets);
    }),
  );
  if (world) {
    const searcher = await service.member("searcher", { sex: "female" });
    lanes.push(
      forever((n) => changeFilter(calls, searcher, n)),
      forever((n) => calls.attempt(() => signUp(service, world.mailbox, n, others.signedUp))),
      forever((n) => buy(calls, world.paypal, others.paid, n)),
    );
  }
  const running = Promise.all(lanes);
  running.catch(() => end.abort());

  return {
    rejections: () => calls.rejections,
    async stop() {
      end.abort();
      await running;
    },
    async expectNothingLost() {
      for (const pair of pairs) await expectStored(service, pair);
      expect(pairs.every(({ sent }) => sent.length > LIKE_EVERY)).toBe(true);
      if (world) await expectOthersStored(service, world.paypal, others);
    },
  };
}

/** Members see no other error than `service_unavailable`. */
class Repeater {
  rejections = 0;

  async repeat<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        await this.#countRejection(error);
      }
    }
  }

  /** A rejected call may have been executed. */
  async attempt(act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => this.#countRejection(error));
  }

  async #countRejection(error: unknown): Promise<void> {
    if (!(error instanceof CallError) || error.code !== "service_unavailable") throw error;
    this.rejections++;
    await pause(RETRY_MS);
  }
}

async function createPair(service: TestService, i: number): Promise<Pair> {
  const one = await service.member(`one${i}`, { paid: true });
  const other = await service.member(`other${i}`, { paid: true });
  await match(one, other);
  return { one, other, sent: [], liked: [] };
}

async function chat(
  calls: Repeater,
  { one, other, sent, liked }: Pair,
  n: number,
  targets: readonly TestMember[],
): Promise<void> {
  const message = { receiverId: other.user_id, description: `message ${n}`, clientId: randomUUID() };
  const { dm } = await calls.repeat(() => one.call(sendDm, message));
  expect(dm.description).toBe(message.description);
  sent.push(message.description);
  const target = n % LIKE_EVERY === 0 ? targets[n / LIKE_EVERY] : undefined;
  if (!target) return;
  await calls.repeat(() => one.call(likeUser, { likedId: target.user_id }));
  liked.push(target.memberId);
  const { dms } = await calls.repeat(() => other.call(getDms, { friendId: one.user_id }));
  expect(dms.at(-1)?.description).toBe(message.description);
}

async function changeFilter(calls: Repeater, member: TestMember, n: number): Promise<void> {
  const search_min_age = 20 + (n % 10);
  await calls.repeat(() => member.call(saveFilter, { search_min_age }));
  const { user } = await calls.repeat(() => member.call(getOwnUser, {}));
  expect(user.search_min_age).toBe(search_min_age);
  const { options } = await calls.repeat(() => member.call(getOptions, {}));
  expect(options.length).toBeGreaterThan(0);
}

async function signUp(service: TestService, mailbox: Mailbox, n: number, signedUp: string[]): Promise<void> {
  const userId = `newcomer${n}`;
  const email = `${userId}@example.com`;
  await service.call(requestSignUpCode, { email, ...agreed });
  const code = await eventually(() => mailbox.emails(email)[0]?.code ?? expect.fail("no code yet"), 60_000);
  await service.call(register, signUpForm({ userId, email, code }));
  signedUp.push(userId);
}

async function buy(
  calls: Repeater,
  paypal: FakePayPal,
  { member, orderIds }: Others["paid"],
  n: number,
): Promise<void> {
  const plan = { currency: "USD", price: priceOf("USD", { year: 0, month: 1 }), year: 0, month: 1 } as const;
  const { order_id, paypal_order_id } = await calls.repeat(() => member.call(createOrder, plan));
  await paypal.approve(paypal_order_id, false, `payer${n}`);
  await calls.repeat(() => member.call(captureOrder, { order_id }));
  orderIds.push(order_id);
}

async function expectStored({ db }: TestService, { one, other, sent, liked }: Pair): Promise<void> {
  const messages = await readAllMessages(other, one.user_id);
  expect(messages.map(({ description }) => description)).toEqual(sent);
  const stored = await db
    .selectFrom("verdicts")
    .select("target")
    .where("actor", "=", one.memberId)
    .where("liked", "=", true)
    .execute();
  expect(stored.map(({ target }) => target)).toEqual(expect.arrayContaining(liked));
}

async function expectOthersStored(
  service: TestService,
  paypal: FakePayPal,
  { signedUp, paid }: Others,
): Promise<void> {
  expect(signedUp.length).toBeGreaterThan(0);
  for (const user_id of signedUp) {
    const { access } = await service.call(logIn, {
      user_id,
      password: signUpForm({ email: "", code: "" }).password,
    });
    const headers = { authorization: `Bearer ${access}` };
    expect((await service.fetch("/en/users/api/user", { headers })).status).toBe(200);
  }
  const taken = (await paypal.ledger()).filter(({ kind }) => kind === "taken");
  const { db } = service;
  const grants = await db
    .selectFrom("grants")
    .select("grant_id")
    .where("member_no", "=", paid.member.memberId)
    .execute();
  expect(paid.orderIds.length).toBeGreaterThan(0);
  expect(taken.map(({ reference }) => reference).toSorted()).toEqual(paid.orderIds.toSorted());
  expect(grants).toHaveLength(paid.orderIds.length);
}
