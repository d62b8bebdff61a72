import { type Remote, startStandIn } from "./start-child-server.ts";

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

/** Google's sign-in as far as the implicit flow needs it, in a process of its own: the account chooser, tokeninfo (v3) and userinfo. */
export interface GoogleStandIn extends Remote<Controls> {
  /** Our own client's id, and the variables that make a server use this stand-in. */
  readonly clientId: string;
  readonly variables: Record<string, string>;
  readonly origin: string;
  close(): Promise<void>;
}

const CLIENT_ID = "5551234-alcove.apps.example.com";

/** Starts it on loopback. */
export async function startGoogle(): Promise<GoogleStandIn> {
  const { origin, controls, close } = await startStandIn<Controls>(
    "google-server.ts",
    [CLIENT_ID],
    ["addAccount", "giveToken", "behave", "asked"],
  );
  return {
    ...controls,
    clientId: CLIENT_ID,
    origin,
    variables: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_AUTH_URL: `${origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKENINFO_URL: `${origin}/tokeninfo`,
      GOOGLE_USERINFO_URL: `${origin}/v1/userinfo`,
    },
    close,
  };
}
