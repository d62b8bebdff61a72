import { type Remote, startChildServer } from "./start-child-server.ts";

export interface GoogleAccount {
  readonly subject: string;
  readonly email: string;
  readonly isVerified?: boolean;
}

export type Behaviour = "well" | "broken" | "hanging up" | "silent" | "garbled" | "endless";

export interface TokenOptions {
  clientId?: string;
  expiresInSeconds?: number;
  emailFrom?: "tokeninfo" | "userinfo" | "none";
  claims?: Record<string, unknown>;
}

export interface Controls {
  addAccount(account: GoogleAccount): void;
  issueToken(email: string, options?: TokenOptions): string;
  setBehaviour(behaviour: Behaviour): void;
  requestCount(): number;
}

/** A fake of Google's implicit flow in a child process: account chooser, tokeninfo (v3) and userinfo. */
export interface FakeGoogle extends Remote<Controls> {
  readonly clientId: string;
  readonly variables: Record<string, string>;
  readonly origin: string;
  close(): Promise<void>;
}

const CLIENT_ID = "5551234-alcove.apps.example.com";

export async function startGoogle(): Promise<FakeGoogle> {
  const { origin, controls, close } = await startChildServer<Controls>(
    "google-server.ts",
    { clientId: CLIENT_ID },
    ["addAccount", "issueToken", "setBehaviour", "requestCount"],
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
