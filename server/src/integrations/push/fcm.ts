import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import * as z from "zod/mini";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { fetchJson, type JsonResponse } from "../json-request.ts";
import type { FcmConfig } from "./config.ts";
import {
  isTemporary,
  PUSH_LIFETIME_SECONDS,
  PUSH_TIMEOUT_MS,
  PUSH_TOPIC,
  retryAfter,
  type PushMessage,
  type PushResult,
} from "./push-result.ts";
import { RenewedToken } from "./renewed-token.ts";

/** The app creates this channel (`web/app/device/native/push.ts`). */
const ANDROID_CHANNEL = "news";
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const AccessToken = z.object({ access_token: z.string(), expires_in: z.number() });
const Refusal = z.object({
  error: z.object({
    status: z.optional(z.string()),
    details: z._default(
      z.array(
        z.object({
          errorCode: z.optional(z.string()),
          fieldViolations: z.optional(z.array(z.object({ field: z.optional(z.string()) }))),
        }),
      ),
      [],
    ),
  }),
});

export function createFcmSender(
  config: FcmConfig,
  { clock, log }: Pick<AppContext, "clock" | "log">,
  timeoutMs = PUSH_TIMEOUT_MS,
): { send(token: string, message: PushMessage): Promise<PushResult> } {
  const access = new RenewedToken(clock, async () => requestAccessToken(config, clock.now()));
  const url = new URL(`/v1/projects/${config.projectId}/messages:send`, config.url);

  async function post(token: string, message: PushMessage, bearer: string): Promise<JsonResponse> {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const body = JSON.stringify({ message: { token, ...contentOf(message) } });
    return fetchJson(url, { method: "POST", headers, body }, timeoutMs);
  }

  return {
    async send(token, message) {
      try {
        const bearer = await access.get();
        let response = await post(token, message, bearer);
        if (response.status === 401) {
          access.forget(bearer);
          response = await post(token, message, await access.get());
        }
        const result = resultOf(response);
        if (result.kind === "rejected") log.warn({ status: response.status }, "FCM rejected a push");
        return result;
      } catch (error) {
        log.warn({ cause: (error as Error).message }, "FCM could not be reached");
        return retryAfter(null);
      }
    },
  };
}

function contentOf({ title, body }: PushMessage) {
  return {
    notification: { title, body },
    android: {
      collapse_key: PUSH_TOPIC,
      priority: "HIGH",
      ttl: `${PUSH_LIFETIME_SECONDS}s`,
      notification: { channel_id: ANDROID_CHANNEL, tag: PUSH_TOPIC },
    },
  };
}

/** A 404 alone may come from a wrong project, which must not delete devices. */
function resultOf({ status, body, retryAfter: retryHeader }: JsonResponse): PushResult {
  if (status === 200) return { kind: "sent" };
  if (isTemporary(status)) return retryAfter(retryHeader);
  const refusal = z.safeParse(Refusal, body);
  const details = refusal.success ? refusal.data.error.details : [];
  const isGone = details.some(
    ({ errorCode, fieldViolations = [] }) =>
      errorCode === "UNREGISTERED" ||
      errorCode === "SENDER_ID_MISMATCH" ||
      fieldViolations.some(({ field }) => field === "message.token"),
  );
  return { kind: isGone ? "gone" : "rejected" };
}

/** @throws if the token endpoint does not return a token */
async function requestAccessToken(
  { clientEmail, keyId, privateKey, tokenUrl }: FcmConfig,
  now: Date,
): Promise<{ token: string; renewAt: Date }> {
  const seconds = Math.floor(now.getTime() / SECOND_MS);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: keyId })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + HOUR_MS / SECOND_MS)
    .sign(createPrivateKey(privateKey));
  const { status, body } = await fetchJson(
    new URL(tokenUrl),
    { method: "POST", body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }) },
    PUSH_TIMEOUT_MS,
  );
  const received = z.safeParse(AccessToken, body);
  if (status !== 200 || !received.success) throw new Error(`no access token, status ${status}`);
  const { access_token, expires_in } = received.data;
  return { token: access_token, renewAt: new Date(now.getTime() + expires_in * SECOND_MS - 5 * MINUTE_MS) };
}
