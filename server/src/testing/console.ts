import * as z from "zod/mini";
import type { Call, InputOf, ResponseOf } from "@alcove/contract";
import { finishEnrolment, finishLogin, startEnrolment, startLogin } from "@alcove/contract/console";
import { buildRequest } from "@alcove/contract/request";
import { addOperator } from "../operator/index.ts";
import { createPasskey, type Passkey } from "./passkey.ts";
import { CallError, type TestService } from "./test-service.ts";

export class ConsoleBrowser {
  readonly origin: string;
  cookie = "";
  readonly headers: Record<string, string>;

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin;
    this.headers = { origin, "sec-fetch-site": "same-origin", ...headers };
  }

  async call<C extends Call>(call: C, input: InputOf<C>, language = "en"): Promise<ResponseOf<C>> {
    const { path, method, headers, body } = buildRequest(call, input, language);
    const response = await fetch(new URL(path, this.origin), {
      method,
      headers: { ...headers, ...this.headers, cookie: this.cookie },
      body,
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(";")[0]!;
    if (!response.ok)
      throw new CallError(response.status, (await response.json()) as Record<string, unknown>);
    if (call.response === null) return undefined as ResponseOf<C>;
    return z.core.parse(call.response, await response.json()) as ResponseOf<C>;
  }

  async enrol(token: string, passkey: Passkey): Promise<void> {
    const { options } = await this.call(startEnrolment, { token });
    await this.call(finishEnrolment, { token, response: passkey.register(options, this.origin) });
  }

  async logIn(passkey: Passkey): Promise<void> {
    const { options } = await this.call(startLogin, {});
    await this.call(finishLogin, { response: passkey.logIn(options, this.origin) });
  }
}

export async function operatorOf(service: TestService, name: string) {
  const token = await addOperator(service.ctx, name);
  const passkey = createPasskey();
  const browser = new ConsoleBrowser(service.consoleUrl!);
  await browser.enrol(token!, passkey);
  await browser.logIn(passkey);
  return { browser, passkey, call: browser.call.bind(browser) };
}
