import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

type Verdict = Record<string, unknown>;

/** A fake reCAPTCHA v3: script, tokens and siteverify. */
export interface FakeRecaptcha {
  readonly origin: string;
  readonly variables: Record<string, string>;
  issueToken(action: string, overrides?: Verdict): string;
  /** Allows used tokens again, unlike Google. */
  resetUses(): void;
  setBehaviour(behaviour: "well" | "broken" | "garbled" | "hanging up"): void;
  requests(): readonly string[];
  close(): Promise<void>;
}

const SITE_KEY = "6Lc-site-key-of-the-fake";
const SECRET = "6Lc-secret-of-the-fake";

export async function startRecaptcha(): Promise<FakeRecaptcha> {
  const tokens = new Map<string, { verdict: Verdict; isUsed: boolean }>();
  const requests: string[] = [];
  let behaviour: Parameters<FakeRecaptcha["setBehaviour"]>[0] = "well";

  function issueToken(action: string, overrides: Verdict = {}): string {
    const token = `03AFcWeA${randomBytes(300).toString("base64url")}`;
    const verdict = {
      success: true,
      score: 0.9,
      action,
      challenge_ts: now(),
      hostname: "127.0.0.1",
      ...overrides,
    };
    tokens.set(token, { verdict, isUsed: false });
    return token;
  }

  function verify(form: URLSearchParams): Verdict {
    requests.push([...form.keys()].join());
    if (form.get("secret") !== SECRET) return { success: false, "error-codes": ["invalid-input-secret"] };
    const known = tokens.get(form.get("response") ?? "");
    if (!known) return { success: false, "error-codes": ["invalid-input-response"] };
    if (known.isUsed) return { success: false, "error-codes": ["timeout-or-duplicate"] };
    known.isUsed = true;
    return known.verdict;
  }

  async function siteverify(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const verdict = verify(new URLSearchParams(body));
    if (behaviour === "hanging up") response.destroy();
    else if (behaviour === "broken") response.writeHead(500).end("{}");
    else if (behaviour === "garbled") response.end("success");
    else response.end(JSON.stringify(verdict));
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://local.invalid");
    if (url.pathname === "/recaptcha/api.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script(origin));
    } else if (url.pathname === "/recaptcha/token" && url.searchParams.get("key") === SITE_KEY) {
      const token = issueToken(url.searchParams.get("action") ?? "");
      response.writeHead(200, { "access-control-allow-origin": "*" }).end(token);
    } else if (url.pathname === "/recaptcha/api/siteverify" && request.method === "POST") {
      void siteverify(request, response);
    } else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the fake reCAPTCHA has no port");
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    origin,
    variables: {
      BOT_CHECK: "recaptcha",
      RECAPTCHA_SITE_KEY: SITE_KEY,
      RECAPTCHA_SECRET: SECRET,
      RECAPTCHA_VERIFY_URL: `${origin}/recaptcha/api/siteverify`,
      RECAPTCHA_SCRIPT_URL: `${origin}/recaptcha/api.js`,
    },
    issueToken,
    resetUses: () => tokens.forEach((token) => (token.isUsed = false)),
    setBehaviour: (to) => void (behaviour = to),
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");

function script(origin: string): string {
  return `globalThis.grecaptcha = {
    ready: (then) => then(),
    execute: async (key, { action }) =>
      (await fetch("${origin}/recaptcha/token?" + new URLSearchParams({ key, action }))).text(),
  };`;
}
