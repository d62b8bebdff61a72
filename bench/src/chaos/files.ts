import { randomUUID } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { type Dm, type ReactionName, reactToDm, sendDm } from "@alcove/contract/messaging";
import { wavHeader } from "@alcove/contract/voice-note";
import { readAllDms } from "@alcove/test-services/chats";
import { createClient } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { pause, split } from "@alcove/test-services/waiting";
import type { Member } from "./member.ts";

const { icon } = signUpForm("picture");
const SAMPLES = new Uint8Array(8_000);
const voice = new File([wavHeader(SAMPLES.length, { channels: 1, rate: 8_000 }), SAMPLES], "voice.wav");

/** Each side sends both of its own at once. */
const REACTIONS = { sender: ["heart", "laugh"], receiver: ["wow", "sad"] } as const satisfies Record<
  string,
  readonly ReactionName[]
>;

/** Pairs who send images and voice notes, each at two servers at the same time, and react to them. */
export class Files {
  readonly #pairs: readonly (readonly [Member, Member])[];
  readonly #random: RandomGenerator;
  /** By message id. */
  readonly #sent = new Map<string, string>();
  readonly #reacted = new Set<string>();
  readonly #problems: string[] = [];

  constructor(pairs: readonly (readonly [Member, Member])[], random: RandomGenerator) {
    this.#pairs = pairs;
    this.#random = split(random);
  }

  async run(end: number, [min, max]: readonly [number, number]): Promise<void> {
    const send = async ([her, him]: readonly [Member, Member]) => {
      for (;;) {
        await pause(uniformInt(this.#random, min, max));
        if (performance.now() > end) return;
        const message = this.#message(him);
        const [first, second] = await Promise.all(
          [message, message].map((one) => her.callWithRetry("file", sendDm, one)),
        );
        const { id } = first!.dm;
        if (second!.dm.id !== id) this.#problems.push(`file ${message.clientId} is stored twice`);
        this.#sent.set(id, message.clientId);
        await Promise.all([
          ...REACTIONS.sender.map((reaction) =>
            her.callWithRetry("reaction", reactToDm, { dmId: id, reaction }),
          ),
          ...REACTIONS.receiver.map((reaction) =>
            him.callWithRetry("reaction", reactToDm, { dmId: id, reaction }),
          ),
        ]);
        this.#reacted.add(id);
      }
    };
    await Promise.all(this.#pairs.map(send));
  }

  /** One file by one request, which fails during an outage. */
  async probe(url: string): Promise<void> {
    const [her, him] = this.#pairs[0]!;
    const message = this.#message(him);
    const { dm } = await her
      .call("file", sendDm, message, url)
      // Stored or not, the repetition settles it for the check.
      .catch((error: unknown) => {
        void her
          .callWithRetry("file", sendDm, message)
          .then((later) => this.#sent.set(later.dm.id, message.clientId));
        throw error;
      });
    this.#sent.set(dm.id, message.clientId);
  }

  #message({ userId }: Member) {
    const clientId = randomUUID();
    const file = uniformInt(this.#random, 1, 2) === 1 ? { file: icon } : { voice };
    return { receiverId: userId, description: clientId, clientId, ...file };
  }

  get count(): number {
    return this.#sent.size;
  }

  /** Every acknowledged file is stored once and loads for its receiver, with one reaction of each side. */
  async check(url: string): Promise<string[]> {
    const problems = [...this.#problems];
    const stored = new Map<string, string | null>();
    for (const [her, him] of this.#pairs) {
      for (const dm of await readAllDms(url, him, her.userId)) {
        const { id, description } = dm;
        const name = `file ${description}`;
        if ([...stored.values()].includes(description)) problems.push(`${name} is stored twice`);
        stored.set(id, description);
        const path = dm.file ?? dm.voice;
        const file = path && (await createClient(url, him.access).fetch(path));
        if (!file || !file.ok || (await file.bytes()).length < 50)
          problems.push(`${name} does not load: ${file && file.status}`);
        if (!areExpected(dm.reactions, this.#reacted.has(id)))
          problems.push(`${name} has reactions ${JSON.stringify(dm.reactions)}`);
      }
    }
    for (const [id, clientId] of this.#sent)
      if (stored.get(id) !== clientId) problems.push(`file ${clientId}: acknowledged and not stored`);
    if (stored.size > this.#sent.size)
      problems.push(`${stored.size - this.#sent.size} files stored and never acknowledged`);
    return problems;
  }
}

/** Read by the receiver. */
function areExpected(reactions: Dm["reactions"], areAcknowledged: boolean): boolean {
  const of = (isMine: boolean) =>
    reactions.filter(({ mine }) => mine === isMine).map(({ reaction }) => reaction);
  const isOneOf = (all: readonly string[], some: readonly ReactionName[]) =>
    areAcknowledged ? all.length === 1 && some.includes(all[0] as ReactionName) : all.length === 0;
  return isOneOf(of(true), REACTIONS.receiver) && isOneOf(of(false), REACTIONS.sender);
}
