import { logOut, refreshTokens } from "@alcove/contract/accounts";
import type { ResponseOf, Call, InputOf } from "@alcove/contract/call";
import type { ValidationErrors } from "@alcove/contract/fields";
import type { ErrorCode } from "@alcove/contract/errors";
import { buildRequest } from "@alcove/contract/request";
import { currentLanguage } from "./language.ts";
import { lock } from "./lock.ts";
import {
  currentLogin,
  currentSession,
  forgetSession,
  keepSession,
  renewalMark,
  sessionStore,
  type Ending,
  type Session,
} from "./session.ts";
import { settings } from "./settings.ts";

/** The server said no. Decide by `code`; `message` is its sentence in the member's language. */
export class Refused extends Error {
  override name = "Refused";
  readonly status: number;
  readonly code: ErrorCode | "fault";
  readonly errors: ValidationErrors;

  constructor(
    status: number,
    body: { code?: string; error_message?: string; validation_errors?: ValidationErrors },
  ) {
    super(body.error_message ?? "Error");
    this.status = status;
    this.code = (body.code ?? "fault") as ErrorCode | "fault";
    this.errors = body.validation_errors ?? {};
  }
}

/** The server could not be reached: say so, and keep what was typed. */
export class Offline extends Error {
  override name = "Offline";
}

/**
 * Makes a call of the contract as the logged-in member, if there is one.
 *
 * An access token that has expired is renewed once. A session that is over is forgotten, so that the login shows.
 * While the app is locked nothing is asked as a member, as if nobody were logged in.
 *
 * @throws Refused, Offline
 */
export async function api<C extends Call>(call: C, input: InputOf<C>): Promise<ResponseOf<C>> {
  const session = lock.getState().isLocked ? null : currentSession();
  if (!session && call.access === "member") throw new Refused(401, { code: "login_required" });
  try {
    return await send(call, input, session);
  } catch (error) {
    if (!session || call.access !== "member" || !(error instanceof Refused) || error.status !== 401)
      throw error;
    if (error.code !== "token_expired") {
      if (currentSession()?.refresh === session.refresh) forgetSession();
      throw error;
    }
  }
  return send(call, input, await renewSession(session));
}

/** How long a tab waits in its turn for what others have stored: a busy browser tells it of both by different ways. */
const NEWS_MS = 50;

/** A session whose access token is fresh; tabs take turns, so that no refresh token is ever used twice. */
async function renewSession(stale: Session): Promise<Session> {
  return navigator.locks.request("session", async () => {
    await new Promise((done) => setTimeout(done, NEWS_MS));
    const current = currentSession();
    if (current?.login !== stale.login) throw new Refused(401, { code: "login_required" });
    if (current.access !== stale.access) return current; // another tab has done it
    const tokens = await send(
      refreshTokens,
      { refresh: current.refresh, clientId: renewalMark() },
      null,
    ).catch((error: unknown) => {
      const isOver = error instanceof Refused && error.status === 401;
      if (isOver && currentLogin() === current.login) forgetSession();
      throw error;
    });
    // What another tab stored may show here after its turn only: then the same renewal was asked for again, with the
    // same answer.
    const isLiving = [current.refresh, tokens.refresh].includes(currentSession()?.refresh ?? "");
    if (!isLiving) {
      void farewell(tokens.refresh); // logged out meanwhile: what came back ends too
      throw new Refused(401, { code: "login_required" });
    }
    const renewed = { ...tokens, login: current.login };
    keepSession(renewed);
    return renewed;
  });
}

const FAREWELLS = "farewells";

/** Ends the session here at once, and on the server as soon as it can be reached. */
export async function endSession(why: Ending | null = null): Promise<void> {
  const session = currentSession();
  if (!session) return;
  const store = sessionStore();
  forgetSession(why);
  await farewell(session.refresh, store);
}

/** Ends on the server what was ended here without a connection. */
export async function sendFarewells(): Promise<void> {
  for (const store of [sessionStorage, localStorage])
    for (const refresh of farewellsIn(store)) await farewell(refresh, store);
}

/** Ends a session on the server; one that does not get there is kept until it does. */
async function farewell(refresh: string, store = sessionStore()): Promise<void> {
  const others = () => farewellsIn(store).filter((other) => other !== refresh);
  store.setItem(FAREWELLS, JSON.stringify([...others(), refresh]));
  try {
    await send(logOut, { token: refresh }, null);
  } catch (error) {
    if (!(error instanceof Offline || error instanceof Refused)) throw error;
    if (error instanceof Offline || error.status >= 429) return;
  }
  const left = others();
  if (left.length > 0) store.setItem(FAREWELLS, JSON.stringify(left));
  else store.removeItem(FAREWELLS);
}

function farewellsIn(store: Storage): string[] {
  return JSON.parse(store.getItem(FAREWELLS) ?? "[]") as string[];
}

async function send<C extends Call>(
  call: C,
  input: InputOf<C>,
  session: Session | null,
): Promise<ResponseOf<C>> {
  const { path, method, headers, body } = buildRequest(call, input, currentLanguage());
  const authorization: Record<string, string> = session ? { authorization: `Bearer ${session.access}` } : {};
  const response = await fetch(`${settings.apiOrigin}${path}`, {
    method,
    headers: { ...headers, ...authorization },
    body,
    credentials: "omit",
    cache: "no-store",
  }).catch((cause: unknown) => {
    throw new Offline("the server could not be reached", { cause });
  });
  if (response.status === 204) return undefined as ResponseOf<C>;
  const answer: unknown = await response.json().catch((cause: unknown) => {
    // The line was cut in the middle of the answer, or the page is being left. A refusal is one without its words too,
    // but for one that may end the session: that must say so.
    if (response.ok || response.status === 401)
      throw new Offline("the answer did not come through", { cause });
    return {};
  });
  if (!response.ok) throw new Refused(response.status, answer as ConstructorParameters<typeof Refused>[1]);
  return answer as ResponseOf<C>;
}
