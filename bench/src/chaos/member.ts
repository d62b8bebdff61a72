import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { Call, InputOf, ResponseOf } from "@alcove/contract";
import { logIn } from "@alcove/contract/accounts";
import { CallError, createClient, type SignedUpMember } from "@alcove/test-services/client";
import { pause, split } from "@alcove/test-services/waiting";
import type { Tally } from "./tally.ts";

const TIMEOUT_MS = 15_000;
const RETRY_MS = { first: 100, longest: 2_000 };

export class Member {
  readonly userId: string;
  readonly email: string;
  access: string;
  readonly #password: string;
  readonly #urls: readonly string[];
  readonly #tally: Tally;
  readonly #random: RandomGenerator;

  constructor(signedUp: SignedUpMember, urls: readonly string[], tally: Tally, random: RandomGenerator) {
    this.userId = signedUp.userId;
    this.email = signedUp.email;
    this.access = signedUp.access;
    this.#password = signedUp.password;
    this.#urls = urls;
    this.#tally = tally;
    this.#random = split(random);
  }

  async call<C extends Call>(kind: string, call: C, input: InputOf<C>, url?: string): Promise<ResponseOf<C>> {
    const at = url ?? this.#urls[uniformInt(this.#random, 0, this.#urls.length - 1)]!;
    const client = createClient(at, this.access, TIMEOUT_MS);
    return this.#tally.count(kind, () => client.call(call, input));
  }

  /** Repeats a request, as a member presses again, until the server accepts or rejects it. Throws the rejection. */
  async callWithRetry<C extends Call>(kind: string, call: C, input: InputOf<C>): Promise<ResponseOf<C>> {
    for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(2 * waitMs, RETRY_MS.longest)) {
      try {
        return await this.call(kind, call, input);
      } catch (error) {
        if (error instanceof CallError && error.body["code"] === "token_expired") await this.renew();
        else if (error instanceof CallError && error.status < 500) throw error;
      }
      await pause(waitMs * (0.5 + uniformInt(this.#random, 0, 100) / 100));
    }
  }

  /** NOTE: a repeated renewal by refresh token would end the session, so this logs in. */
  async renew(): Promise<void> {
    const input = { user_id: this.userId, password: this.#password };
    this.access = (await this.callWithRetry("log in", logIn, input)).access;
  }
}
