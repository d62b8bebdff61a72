import { randomUUID } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { sendDm } from "@alcove/contract/messaging";
import { readAllDms } from "@alcove/test-services/chats";
import { createClient } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { pause, split } from "@alcove/test-services/waiting";
import type { Member } from "./member.ts";

const { icon } = signUpForm("picture");

export class Images {
  readonly #pairs: readonly (readonly [Member, Member])[];
  readonly #random: RandomGenerator;
  /** By message id. */
  readonly #sent = new Map<string, string>();

  constructor(pairs: readonly (readonly [Member, Member])[], random: RandomGenerator) {
    this.#pairs = pairs;
    this.#random = split(random);
  }

  async run(end: number, [min, max]: readonly [number, number]): Promise<void> {
    const send = async ([her, him]: readonly [Member, Member]) => {
      for (;;) {
        await pause(uniformInt(this.#random, min, max));
        if (performance.now() > end) return;
        const clientId = randomUUID();
        const { dm } = await her.callWithRetry("image", sendDm, this.#message(him, clientId));
        this.#sent.set(dm.id, clientId);
      }
    };
    await Promise.all(this.#pairs.map(send));
  }

  /** One image by one request, which fails during an outage. */
  async probe(url: string): Promise<void> {
    const [her, him] = this.#pairs[0]!;
    const clientId = randomUUID();
    const message = this.#message(him, clientId);
    const { dm } = await her
      .call("image", sendDm, message, url)
      // Stored or not, the repetition settles it for the check.
      .catch((error: unknown) => {
        void her
          .callWithRetry("image", sendDm, message)
          .then((later) => this.#sent.set(later.dm.id, clientId));
        throw error;
      });
    this.#sent.set(dm.id, clientId);
  }

  #message(receiver: Member, clientId: string) {
    return { receiverId: receiver.userId, description: clientId, file: icon, clientId };
  }

  get count(): number {
    return this.#sent.size;
  }

  /** Every acknowledged image is stored once and loads for its receiver. */
  async check(url: string): Promise<string[]> {
    const problems: string[] = [];
    const stored = new Map<string, string | null>();
    for (const [her, him] of this.#pairs) {
      for (const { id, description, file } of await readAllDms(url, him, her.userId)) {
        const name = `image ${description}`;
        if ([...stored.values()].includes(description)) problems.push(`${name} is stored twice`);
        stored.set(id, description);
        const picture = file && (await createClient(url, him.access).fetch(file));
        if (!picture || !picture.ok || (await picture.bytes()).length < 50)
          problems.push(`${name} does not load: ${picture && picture.status}`);
      }
    }
    for (const [id, clientId] of this.#sent)
      if (stored.get(id) !== clientId) problems.push(`image ${clientId}: acknowledged and not stored`);
    if (stored.size > this.#sent.size)
      problems.push(`${stored.size - this.#sent.size} images stored and never acknowledged`);
    return problems;
  }
}
