import type { ResponseOf, Call, InputOf } from "@alcove/contract";
import { logIn, register, requestSignUpCode } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import type { Mailbox } from "./mail.ts";

export class CallError extends Error {
  override name = "CallError";
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(call: Call, status: number, body: Record<string, unknown>) {
    super(`${call.name}: ${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

export interface Client {
  readonly url: string;
  readonly access: string | null;
  call<C extends Call>(call: C, input: InputOf<C>, language?: string): Promise<ResponseOf<C>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export function createClient(url: string, access: string | null = null, timeoutMs?: number): Client {
  const send = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (access) headers.set("authorization", `Bearer ${access}`);
    const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
    return fetch(new URL(path, url), { signal, ...init, headers });
  };
  return {
    url,
    access,
    fetch: send,
    async call(call, input, language) {
      const { path, ...init } = buildRequest(call, input, language);
      const response = await send(path, init);
      if (!response.ok)
        throw new CallError(call, response.status, (await response.json()) as CallError["body"]);
      return (call.response === null ? undefined : await response.json()) as ResponseOf<typeof call>;
    },
  };
}

type SignUpForm = Omit<InputOf<typeof register>, "email" | "code" | "passwordConfirmation"> & {
  email: string;
};

export interface SignedUpMember extends Client {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly access: string;
  readonly refresh: string;
  readonly code: string;
}

/** Signs up and logs in at a server that sends its email to `mailbox` and has its bot check off. */
export async function signUp(
  url: string,
  mailbox: Mailbox,
  form: SignUpForm,
  language?: string,
): Promise<SignedUpMember> {
  const visitor = createClient(url);
  const { email, password, userId } = form;
  const nth = mailbox.emails(email).length + 1;
  await visitor.call(requestSignUpCode, { email, agree_privacy_policy: "yes", agree_tos: "yes" });
  const { code } = await mailbox.waitForEmail(email, nth);
  if (code === null) throw new Error(`the email to ${email} has no code`);
  await visitor.call(register, { ...form, code, passwordConfirmation: password }, language);
  const { access, refresh } = await visitor.call(logIn, { user_id: userId, password });
  return { ...createClient(url, access), userId, email, password, access, refresh, code };
}
