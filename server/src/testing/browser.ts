import * as z from "zod/mini";
import type { Call, InputOf, ResponseOf } from "@alcove/contract";
import { buildRequest } from "@alcove/contract/request";
import { CallError, type TestService } from "./test-service.ts";

export interface TestClient {
  /** `site` relates the requesting page to ours; by default the client names no page. */
  call<C extends Call>(call: C, input: InputOf<C>, site?: "cross-site" | "same-site"): Promise<ResponseOf<C>>;
  readonly setCookie: string | null;
}

/** For a service with `trustProxy`. */
export function openClient(
  { url }: Pick<TestService, "url">,
  { network, keepsCookies = true }: { network: string; keepsCookies?: boolean },
): TestClient {
  let setCookie: string | null = null;
  return {
    get setCookie() {
      return setCookie;
    },
    async call(call, input, site) {
      const { path, headers, ...init } = buildRequest(call, input);
      const cookie: Record<string, string> =
        keepsCookies && setCookie ? { cookie: `language=en; ${setCookie.split(";")[0]}` } : {};
      const response = await fetch(new URL(path, url), {
        ...init,
        headers: {
          ...headers,
          ...cookie,
          ...(site && { "sec-fetch-site": site }),
          "x-forwarded-for": network,
        },
      });
      setCookie = response.headers.get("set-cookie") ?? setCookie;
      const body: unknown = await response.json();
      if (!response.ok) throw new CallError(response.status, body as Record<string, unknown>);
      return z.core.parse(call.response!, body) as ResponseOf<typeof call>;
    },
  };
}
