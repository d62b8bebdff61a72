import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Behaviour, Controls, GoogleAccount, TokenOptions } from "./google.ts";
import { listen, handleControls, readStart } from "./child-server.ts";

interface Token {
  readonly account: GoogleAccount;
  readonly clientId: string;
  readonly expiresAt: number;
  readonly emailFrom: NonNullable<TokenOptions["emailFrom"]>;
  readonly claims: Record<string, unknown>;
}

const TOKEN_SECONDS = 3_599;
const SCOPES = ["openid", "profile", "email"];
/** Google compares the whole redirect URI, and no registered one has a query. */
const REGISTERED = /^\/(?:en|ja|zh-hans|zh-hant)\/(?:oauth-callback\/login|sign-up)$/;

const { clientId: CLIENT_ID } = readStart<{ clientId: string }>();
const accounts = new Map<string, GoogleAccount>();
const tokens = new Map<string, Token>();
let behaviour: Behaviour = "well";
let requests = 0;

function issueToken(email: string, options: TokenOptions = {}): string {
  const account = accounts.get(email);
  if (!account) throw new Error(`no Google account has the address ${email}`);
  const token = `ya29.${randomBytes(60).toString("base64url")}`;
  const {
    clientId = CLIENT_ID,
    expiresInSeconds = TOKEN_SECONDS,
    emailFrom = "tokeninfo",
    claims = {},
  } = options;
  tokens.set(token, { account, clientId, expiresAt: seconds() + expiresInSeconds, emailFrom, claims });
  return token;
}

function chooser(url: URL, response: ServerResponse): void {
  const query = url.searchParams;
  const problem = problemOf(query);
  if (problem) {
    page(response, 400, `<h1>Access blocked: Authorization Error</h1><p>${problem}</p>`);
    return;
  }
  const link = (chosen: string, label: string) => {
    const to = new URLSearchParams([...query, ["chosen", chosen]]);
    return `<li><a href="/chosen?${escape(to.toString())}">${escape(label)}</a></li>`;
  };
  const links = [...accounts.keys()].map((email) => link(email, email));
  page(response, 200, `<h1>Choose an account</h1><ul>${links.join("")}${link("", "Cancel")}</ul>`);
}

/** The result is in the fragment, which no server receives. */
function redirectWithResult(url: URL, response: ServerResponse): void {
  const query = url.searchParams;
  const problem = problemOf(query);
  const chosen = query.get("chosen") ?? "";
  if (problem || (chosen && !accounts.has(chosen))) {
    page(response, 400, "<h1>Access blocked: Authorization Error</h1>");
    return;
  }
  const result: Record<string, string> = chosen
    ? {
        access_token: issueToken(chosen),
        token_type: "Bearer",
        expires_in: String(TOKEN_SECONDS),
        scope: SCOPES.join(" "),
        authuser: "0",
        prompt: "none",
      }
    : { error: "access_denied" };
  const fragment = new URLSearchParams({ state: query.get("state") ?? "", ...result });
  response.writeHead(302, { location: `${query.get("redirect_uri")}#${fragment.toString()}` }).end();
}

function tokeninfo(url: URL, response: ServerResponse): void {
  const token = tokens.get(url.searchParams.get("access_token") ?? "");
  if (!token || (token.expiresAt <= seconds() && !("exp" in token.claims))) {
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
    ...(token.emailFrom === "tokeninfo"
      ? { email: account.email, email_verified: String(account.isVerified ?? true) }
      : {}),
    access_type: "online",
    ...token.claims,
  });
}

function userinfo(request: IncomingMessage, response: ServerResponse): void {
  const [, given = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  const token = tokens.get(given);
  if (!token) {
    json(response, 401, { error: "invalid_request", error_description: "Invalid Credentials" });
    return;
  }
  const { account, emailFrom } = token;
  json(response, 200, {
    sub: account.subject,
    picture: "https://example.com/photo.jpg",
    ...(emailFrom === "none" ? {} : { email: account.email, email_verified: account.isVerified ?? true }),
  });
}

/** Returns true after an injected error. */
function injectError(response: ServerResponse): boolean {
  if (behaviour === "broken") json(response, 503, { error: "backend_error" });
  if (behaviour === "hanging up") response.destroy();
  if (behaviour === "garbled") response.writeHead(200).end("<html>Sorry...</html>");
  if (behaviour === "endless") sendEndlessly(response);
  return behaviour !== "well"; // "silent" never responds
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://local.invalid");
  if (url.pathname === "/o/oauth2/v2/auth") chooser(url, response);
  else if (url.pathname === "/chosen") redirectWithResult(url, response);
  else if (url.pathname === "/tokeninfo" || url.pathname === "/v1/userinfo") {
    requests++;
    if (injectError(response)) return;
    if (url.pathname === "/tokeninfo") tokeninfo(url, response);
    else userinfo(request, response);
  } else page(response, 404, "<h1>404. That's an error.</h1>");
});

const seconds = (): number => Math.floor(Date.now() / 1_000);

function problemOf(query: URLSearchParams): string | null {
  const redirectUri = query.get("redirect_uri") ?? "";
  const { protocol, hostname, pathname, search, hash } = URL.canParse(redirectUri)
    ? new URL(redirectUri)
    : new URL("x:y");
  const isRegistered =
    protocol === "http:" && hostname === "127.0.0.1" && REGISTERED.test(pathname) && search + hash === "";
  if (query.get("client_id") !== CLIENT_ID) return "Error 401: invalid_client";
  if (!isRegistered) return "Error 400: redirect_uri_mismatch";
  if (query.get("response_type") !== "token") return "Error 400: unsupported_response_type";
  if (query.get("scope") !== SCOPES.join(" ")) return "Error 400: invalid_scope";
  return query.get("prompt") === "select_account" ? null : "Error 400: invalid_request";
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

function sendEndlessly(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const sendMore = () => {
    while (response.writable && response.write(`"${"a".repeat(16_384)}",`));
  };
  response.on("drain", sendMore).write("[");
  sendMore();
}

const controls: Controls = {
  addAccount: (account) => void accounts.set(account.email, account),
  issueToken,
  setBehaviour: (to) => void (behaviour = to),
  requestCount: () => requests,
};

handleControls(controls);
await listen(server);
