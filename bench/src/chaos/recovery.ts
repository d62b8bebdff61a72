import { getOwnUser } from "@alcove/contract/accounts";
import { createOrder } from "@alcove/contract/membership";
import { requestResetCode } from "@alcove/contract/passwords";
import { createClient } from "@alcove/test-services/client";
import { pause, until } from "@alcove/test-services/waiting";
import type { Deployment, Node } from "./deployment.ts";
import type { Files } from "./files.ts";
import type { Member } from "./member.ts";

const PATIENCE_MS = 90_000;
const PROBE_MS = 5_000;
const EMAIL_MS = 10_000;
const MONTH = { currency: "USD", price: 10, year: 0, month: 1 } as const;

/** Measures the time from the end of a failure until a member's request needs no second attempt. */
export class Recovery {
  readonly #deployment: Deployment;
  readonly #prober: Member;
  readonly #files: Files;
  readonly durationsMs = new Map<string, number[]>();
  readonly problems: string[] = [];

  constructor(deployment: Deployment, prober: Member, files: Files) {
    this.#deployment = deployment;
    this.#prober = prober;
    this.#files = files;
  }

  async measure(part: string): Promise<void> {
    const start = performance.now();
    while (!(await this.#works(part))) {
      if (performance.now() - start > PATIENCE_MS) {
        this.problems.push(`${part} did not recover`);
        return;
      }
      await pause(50);
    }
    const kind = part.replace(/ \d$/, "");
    this.durationsMs.set(kind, [...(this.durationsMs.get(kind) ?? []), performance.now() - start]);
  }

  async #works(part: string): Promise<boolean> {
    const { nodes } = this.#deployment;
    const [, number] = /server (\d)$/.exec(part) ?? [];
    const asked = number ? [nodes[Number(number) - 1]!] : nodes.filter(({ isFaulted }) => !isFaulted);
    const results = await Promise.all(
      asked.map((node) =>
        this.#probe(number ? "server" : part, node).then(
          () => true,
          () => false,
        ),
      ),
    );
    return results.every(Boolean);
  }

  async #probe(part: string, { url }: Node): Promise<void> {
    const client = createClient(url, this.#prober.access, PROBE_MS);
    if (part === "nats") {
      const response = await client.fetch("/readyz");
      if (!response.ok) throw new Error("not ready");
    } else if (part === "s3") await this.#files.probe(url);
    else if (part === "paypal") await client.call(createOrder, MONTH);
    else if (part === "smtp") await this.#email(url);
    else await client.call(getOwnUser, {});
  }

  async #email(url: string): Promise<void> {
    const { mailbox } = this.#deployment;
    const { email } = this.#prober;
    const before = mailbox.emails(email).length;
    await createClient(url, null, PROBE_MS).call(requestResetCode, { email });
    if (!(await until(() => mailbox.emails(email).length > before, EMAIL_MS))) throw new Error("no email");
  }
}
