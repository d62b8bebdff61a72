import { fetchChallenge, solve } from "./bot-check.ts";
import type { TestService } from "./test-service.ts";

export const PASSWORD = "quiet-evenings-7";
export const HOME = "203.0.113.1";
/** Clients of this service name their address. */
export const guarded = { config: { hasRateLimits: true, trustProxy: true, botCheck: "altcha" } } as const;

export interface LoginForm {
  user_id: string;
  password?: string;
  device?: string;
  recaptchaToken?: string;
}

/** Returns the status, the error code, the new device and the seconds of `Retry-After`. */
export async function tryLogin(service: TestService, form: LoginForm, ip = HOME) {
  const response = await service.fetch("/en/api/token/", {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": ip },
    body: JSON.stringify({ password: "wrong", ...form }),
  });
  const body = (await response.json()) as { code?: string; device?: string };
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, code: body.code ?? "", device: body.device, retryAfter };
}

export const challengeFor = (service: TestService, user_id: string, ip = HOME) =>
  fetchChallenge(service, { action: "Login", user_id }, { "x-forwarded-for": ip });

export async function solvedToken(service: TestService, user_id: string, ip = HOME): Promise<string> {
  return solve(await challengeFor(service, user_id, ip));
}
