import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** An account at Google. */
export interface GoogleAccount {
  readonly subject: string;
  readonly email: string;
  /** Whether Google has confirmed the address; it has unless told. */
  readonly isVerified?: boolean;
}

/** How the stand-in answers whoever asks about a token. */
export type Behaviour = "well" | "broken" | "hanging up" | "silent" | "garbled" | "endless";

/** Google's sign-in as far as the implicit flow needs it: the account chooser, tokeninfo (v3) and userinfo. */
export interface GoogleStandIn {
  /** Our own client's id, and the variables that make a server use this stand-in. */
  readonly clientId: string;
  readonly variables: Record<string, string>;
  readonly origin: string;
  addAccount(account: GoogleAccount): void;
  /** A token as the chooser gives it out, without a browser; for our own client and an hour unless told. */
  giveToken(email: string, wish?: TokenWish): string;
  behave(behaviour: Behaviour): void;
  /** How many questions about tokens came so far. */
  asked(): number;
  close(): Promise<void>;
}

interface TokenWish {
  clientId?: string;
  expiresInSeconds?: number;
  /** Without `email` the address is told nowhere, without `tokeninfo` only at userinfo. */
  tells?: "tokeninfo" | "userinfo" | "nothing";
  /** What tokeninfo says in place of what is true. */
  saying?: Record<string, unknown>;
}

interface Token {
  readonly account: GoogleAccount;
  readonly clientId: string;
  readonly expiresAt: number;
  readonly tells: NonNullable<TokenWish["tells"]>;
  readonly saying: Record<string, unknown>;
}

const CLIENT_ID = "5551234-alcove.apps.example.com";
const LIFE_SECONDS = 3_599;
const SCOPES = ["openid", "profile", "email"];
/** Google compares a redirect address letter by letter with those that were registered: none has a query. */
const REGISTERED = /^\/(?:en|ja|zh-hans|zh-hant)\/(?:oauth-callback\/login|sign-up)$/;

/** Starts it on loopback. */
export async function startGoogle(): Promise<GoogleStandIn> {
  const accounts = new Map<string, GoogleAccount>();
  const tokens = new Map<string, Token>();
  let behaviour: Behaviour = "well";
  let asked = 0;

  function giveToken(email: string, wish: TokenWish = {}): string {
    const account = accounts.get(email);
    if (!account) throw new Error(`nobody at Google has the address ${email}`);
    const token = `ya29.${randomBytes(60).toString("base64url")}`;
    const { clientId = CLIENT_ID, expiresInSeconds = LIFE_SECONDS, tells = "tokeninfo", saying = {} } = wish;
    tokens.set(token, { account, clientId, expiresAt: seconds() + expiresInSeconds, tells, saying });
    return token;
  }

  function chooser(url: URL, response: ServerResponse): void {
    const asking = url.searchParams;
    const problem = problemOf(asking);
    if (problem) {
      page(response, 400, `<h1>Access blocked: Authorization Error</h1><p>${problem}</p>`);
      return;
    }
    const link = (chosen: string, words: string) => {
      const to = new URLSearchParams([...asking, ["chosen", chosen]]);
      return `<li><a href="/chosen?${escape(to.toString())}">${escape(words)}</a></li>`;
    };
    const links = [...accounts.keys()].map((email) => link(email, email));
    page(response, 200, `<h1>Choose an account</h1><ul>${links.join("")}${link("", "Cancel")}</ul>`);
  }

  /** Sends the browser back with what was chosen in the fragment, which no server sees. */
  function sendBack(url: URL, response: ServerResponse): void {
    const asking = url.searchParams;
    const problem = problemOf(asking);
    const chosen = asking.get("chosen") ?? "";
    if (problem || (chosen && !accounts.has(chosen))) {
      page(response, 400, "<h1>Access blocked: Authorization Error</h1>");
      return;
    }
    const answer: Record<string, string> = chosen
      ? {
          access_token: giveToken(chosen),
          token_type: "Bearer",
          expires_in: String(LIFE_SECONDS),
          scope: SCOPES.join(" "),
          authuser: "0",
          prompt: "none",
        }
      : { error: "access_denied" };
    const fragment = new URLSearchParams({ state: asking.get("state") ?? "", ...answer });
    response.writeHead(302, { location: `${asking.get("redirect_uri")}#${fragment.toString()}` }).end();
  }

  function tokeninfo(url: URL, response: ServerResponse): void {
    const token = tokens.get(url.searchParams.get("access_token") ?? "");
    // What a test wants said of a token is said of an expired one too: that is for us to see.
    if (!token || (token.expiresAt <= seconds() && !("exp" in token.saying))) {
      json(response, 400, { error: "invalid_token", error_description: "Invalid Value" });
      return;
    }
    const { account, clientId, expiresAt } = token;
    json(response, 200, {
      azp: clientId,
      aud: clientId,
      sub: account.subject,
      scope: "openid https://www.googleapis.com/auth/userinfo.email",
      exp: String(expiresAt),
      expires_in: String(expiresAt - seconds()),
      ...(token.tells === "tokeninfo"
        ? { email: account.email, email_verified: String(account.isVerified ?? true) }
        : {}),
      access_type: "online",
      ...token.saying,
    });
  }

  function userinfo(request: IncomingMessage, response: ServerResponse): void {
    const [, given = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const token = tokens.get(given);
    if (!token) {
      json(response, 401, { error: "invalid_request", error_description: "Invalid Credentials" });
      return;
    }
    const { account, tells } = token;
    json(response, 200, {
      sub: account.subject,
      picture: "https://example.com/photo.jpg",
      ...(tells === "nothing" ? {} : { email: account.email, email_verified: account.isVerified ?? true }),
    });
  }

  /** True when the answer is wrong on purpose, and under way. */
  function misbehaves(response: ServerResponse): boolean {
    if (behaviour === "broken") json(response, 503, { error: "backend_error" });
    if (behaviour === "hanging up") response.destroy();
    if (behaviour === "garbled") response.writeHead(200).end("<html>Sorry...</html>");
    if (behaviour === "endless") pour(response);
    return behaviour !== "well"; // the silent one never says anything
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://here.invalid");
    if (url.pathname === "/o/oauth2/v2/auth") chooser(url, response);
    else if (url.pathname === "/chosen") sendBack(url, response);
    else if (url.pathname === "/tokeninfo" || url.pathname === "/v1/userinfo") {
      asked++;
      if (misbehaves(response)) return;
      if (url.pathname === "/tokeninfo") tokeninfo(url, response);
      else userinfo(request, response);
    } else page(response, 404, "<h1>404. That's an error.</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the stand-in for Google has no port");
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    clientId: CLIENT_ID,
    origin,
    variables: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_AUTH_URL: `${origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKENINFO_URL: `${origin}/tokeninfo`,
      GOOGLE_USERINFO_URL: `${origin}/v1/userinfo`,
    },
    addAccount: (account) => void accounts.set(account.email, account),
    giveToken,
    behave: (to) => void (behaviour = to),
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const seconds = (): number => Math.floor(Date.now() / 1_000);

/** What Google would not accept in a question for a token; null if nothing. */
function problemOf(asking: URLSearchParams): string | null {
  const back = asking.get("redirect_uri") ?? "";
  const { protocol, hostname, pathname, search, hash } = URL.canParse(back) ? new URL(back) : new URL("x:y");
  const isRegistered =
    protocol === "http:" && hostname === "127.0.0.1" && REGISTERED.test(pathname) && search + hash === "";
  if (asking.get("client_id") !== CLIENT_ID) return "Error 401: invalid_client";
  if (!isRegistered) return "Error 400: redirect_uri_mismatch";
  if (asking.get("response_type") !== "token") return "Error 400: unsupported_response_type";
  if (asking.get("scope") !== SCOPES.join(" ")) return "Error 400: invalid_scope";
  return asking.get("prompt") === "select_account" ? null : "Error 400: invalid_request";
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function page(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { "content-type": "text/html; charset=utf-8" })
    .end(
      `<!doctype html><html lang="en"><title>Sign in</title><link rel="icon" href="data:,">${body}</html>`,
    );
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/** An answer that begins well and never ends. */
function pour(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (response.writable && response.write(`"${"a".repeat(16_384)}",`));
  };
  response.on("drain", more).write("[");
  more();
}
