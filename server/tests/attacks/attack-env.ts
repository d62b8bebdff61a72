import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { expect } from "vitest";
import { errors, type Call } from "@alcove/contract";
import { getOwnUser } from "@alcove/contract/accounts";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { startMailbox } from "@alcove/test-services/mail";
import { match } from "../../src/testing/match.ts";
import {
  eventually,
  testService,
  type TestMember,
  type TestService,
} from "../../src/testing/test-service.ts";
import { INTERNALS } from "./requests.ts";

export type AttackRequest = readonly [call: Call, path: string, init: RequestInit];

interface Outcome {
  readonly status: number;
  readonly isRejected: boolean;
  /** A short summary for a failed assertion. */
  readonly summary: string;
}

type RowCounts = Record<string, number>;

const CONCURRENT_REQUESTS = 4;

/** A service with two matched members, where a rejected request must not change a table. */
export async function startAttackEnv(): Promise<AttackEnv> {
  const mailbox = await startMailbox();
  const service = await testService({ config: { smtpUrl: mailbox.url } });
  const hanako = await service.member("hanako", { paid: true, password: "quiet-evenings-7" });
  const taro = await service.member("taro", { paid: true });
  await match(hanako, taro);
  return new AttackEnv(service, hanako, taro, () => mailbox.close());
}

export class AttackEnv {
  readonly service: TestService;
  readonly hanako: TestMember;
  readonly taro: TestMember;
  readonly close: () => Promise<void>;
  #tables: string[] | undefined;
  #lastCounts: RowCounts | undefined;

  constructor(service: TestService, hanako: TestMember, taro: TestMember, close: () => Promise<void>) {
    this.service = service;
    this.hanako = hanako;
    this.taro = taro;
    this.close = close;
  }

  /** Checks that the response is an expected JSON error without internals. */
  async send(
    call: Call,
    path: string,
    init: RequestInit,
    sender: TestMember | null = this.hanako,
  ): Promise<Outcome> {
    const headers = new Headers(init.headers);
    if (call.access === "member" && sender && !headers.has("authorization")) {
      headers.set("authorization", `Bearer ${sender.access}`);
    }
    const response = await this.service.fetch(path, { ...init, headers, method: call.method });
    const text = await response.text();
    const summary = `${call.name} ${path.slice(0, 200)} ${typeof init.body === "string" ? init.body.slice(0, 200) : "(form)"} -> ${response.status} ${text.slice(0, 300)}`;

    expect(response.status, summary).toBeLessThan(500);
    expect(INTERNALS.test(text), summary).toBe(false);
    if (response.status === 204) return { status: 204, isRejected: false, summary };
    if (call.file && response.status === 200) {
      expect(response.headers.get("content-type"), summary).toBe(call.file.type);
      return { status: 200, isRejected: false, summary };
    }
    expect(response.headers.get("content-type"), summary).toBe("application/json; charset=utf-8");
    const body = JSON.parse(text) as { code?: string; error_message?: string } | boolean;
    if (response.status >= 400) {
      const { code = "", error_message } = body as { code?: string; error_message?: string };
      expect(errors, summary).toHaveProperty([code], response.status);
      expect(error_message, summary).toMatch(/\S/);
    }
    const isRejected =
      response.status >= 400 || (typeof body === "object" && body.error_message !== undefined);
    return { status: response.status, isRejected, summary };
  }

  /** Expects that a rejected request changes no table. */
  async sendAndCompare(call: Call, path: string, init: RequestInit, sender?: TestMember): Promise<Outcome> {
    const before = await this.knownCounts();
    const outcome = await this.send(call, path, init, sender);
    const after = await this.countRows();
    if (outcome.isRejected) expect(after, outcome.summary).toEqual(before);
    this.#lastCounts = after;
    return outcome;
  }

  /**
   * Like `sendAndCompare` for many requests, with one count for all. If one was accepted, the rejected ones are repeated.
   */
  async sendAllAndCompare(requests: readonly AttackRequest[]): Promise<Outcome[]> {
    const before = await this.knownCounts();
    const outcomes = await this.#sendAll(requests);
    this.forgetCounts();
    const rejected = requests.filter((_, at) => outcomes[at]!.isRejected);
    if (rejected.length === requests.length) {
      expect(await this.knownCounts(), requests[0]?.[0].name).toEqual(before);
    } else await this.#repeatRejected(rejected);
    return outcomes;
  }

  /** One by one only if the counts differ, to name the request, or if a request is accepted this time. */
  async #repeatRejected(requests: readonly AttackRequest[]): Promise<void> {
    const before = await this.knownCounts();
    const outcomes = await this.#sendAll(requests);
    this.forgetCounts();
    const after = await this.knownCounts();
    const areRejected = outcomes.every(({ isRejected }) => isRejected);
    if (areRejected && isDeepStrictEqual(after, before)) return;
    for (const request of requests) await this.sendAndCompare(...request);
    if (areRejected) expect(after, requests[0]?.[0].name).toEqual(before);
  }

  async #sendAll(requests: readonly AttackRequest[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const remaining = requests.entries();
    const sendNext = async () => {
      for (const [at, request] of remaining) outcomes[at] = await this.send(...request);
    };
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, sendNext));
    return outcomes;
  }

  /** Row counts of each table once no job is waiting, except the counts that a job updates each minute. */
  async countRows(): Promise<RowCounts> {
    const { db } = this.service;
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from graphile_worker.jobs where attempts = 0 or locked_at is not null`.execute(
        db,
      );
      expect(rows[0]!.n).toBe(0);
    }, 30_000);
    this.#tables ??= (
      await sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'cell_counts'`.execute(
        db,
      )
    ).rows.map(({ name }) => name);
    const counts = this.#tables.map((name) => `(select count(*) from ${name}) as ${name}`).join(", ");
    const { rows } = await sql.raw<RowCounts>(`select ${counts}`).execute(db);
    return rows[0]!;
  }

  async knownCounts(): Promise<RowCounts> {
    return (this.#lastCounts ??= await this.countRows());
  }

  /** Counts again before the next request, after a change that the test expects. */
  forgetCounts(): void {
    this.#lastCounts = undefined;
  }

  async expectMembersUnharmed(): Promise<void> {
    const { hanako, taro } = this;
    const { user } = await hanako.call(getOwnUser, {});
    const { dm } = await hanako.call(sendDm, { receiverId: "taro", description: "Still here." });
    const { dms } = await taro.call(getDms, { friendId: "hanako" });

    expect(user).toMatchObject({ user_id: "hanako", username: "hanako", status: "paid" });
    expect(dms.at(-1)).toMatchObject({ id: dm.id, description: "Still here." });
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  }
}
