import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** An account at Google. */
export interface GoogleAccount {
  readonly subject: string;
  readonly email: string;
  /** Whether Google has confirmed the address; it has unless told. */
  readonly isVerified?: boolean;
}

/** How the stand-in answers whoever asks about a token. */
export type Behaviour = "well" | "broken" | "hanging up" | "silent" | "garbled" | "endless";

export interface TokenWish {
  clientId?: string;
  expiresInSeconds?: number;
  /** Without `email` the address is told nowhere, without `tokeninfo` only at userinfo. */
  tells?: "tokeninfo" | "userinfo" | "nothing";
  /** What tokeninfo says in place of what is true. */
  saying?: Record<string, unknown>;
}

/** What a test may do to Google, as the process itself does it. */
export interface Controls {
  addAccount(account: GoogleAccount): void;
  /** A token as the chooser gives it out, without a browser; for our own client and an hour unless told. */
  giveToken(email: string, wish?: TokenWish): string;
  behave(behaviour: Behaviour): void;
  /** How many questions about tokens came so far. */
  asked(): number;
}

/** The same, once the process has done it. */
type Remote = {
  [Name in keyof Controls]: (...values: Parameters<Controls[Name]>) => Promise<ReturnType<Controls[Name]>>;
};

/** A message to the process, which answers it under the same id. */
export interface Asked {
  readonly id: number;
  readonly name: keyof Controls;
  readonly values: readonly unknown[];
}

interface Answered {
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: string;
}

/** Google's sign-in as far as the implicit flow needs it, in a process of its own: the account chooser, tokeninfo (v3) and userinfo. */
export interface GoogleStandIn extends Remote {
  /** Our own client's id, and the variables that make a server use this stand-in. */
  readonly clientId: string;
  readonly variables: Record<string, string>;
  readonly origin: string;
  close(): Promise<void>;
}

const CLIENT_ID = "5551234-alcove.apps.example.com";

/** Starts it on loopback. */
export async function startGoogle(): Promise<GoogleStandIn> {
  // What is to be left out of an answer is `undefined`, which JSON would lose on the way.
  const child = fork(join(import.meta.dirname, "google-server.ts"), [CLIENT_ID], {
    serialization: "advanced",
  });
  const origin = `http://127.0.0.1:${await portOf(child)}`;
  const tell = controlOf(child);
  return {
    clientId: CLIENT_ID,
    origin,
    variables: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_AUTH_URL: `${origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKENINFO_URL: `${origin}/tokeninfo`,
      GOOGLE_USERINFO_URL: `${origin}/v1/userinfo`,
    },
    addAccount: (...values) => tell("addAccount", values),
    giveToken: (...values) => tell("giveToken", values),
    behave: (...values) => tell("behave", values),
    asked: (...values) => tell("asked", values),
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the stand-in for Google ended with ${code}`)));
  });
}

/** Makes what sends a message to the process and waits for its answer. */
function controlOf(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on("message", ({ id, value, problem }: Answered) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (problem === undefined) resolve(value);
    else reject(new Error(problem));
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`the stand-in for Google ended with ${code}`));
    waiting.clear();
  });
  return <Name extends keyof Controls>(name: Name, values: Parameters<Controls[Name]>) => {
    const answer = Promise.withResolvers<unknown>();
    const id = ++last;
    waiting.set(id, answer);
    const asked: Asked = { id, name, values };
    child.send(asked);
    return answer.promise as Promise<ReturnType<Controls[Name]>>;
  };
}
