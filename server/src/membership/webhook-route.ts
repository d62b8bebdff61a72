import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../platform/http/router.ts";
import { networkOf } from "../platform/security/client-network.ts";
import { ApiError } from "../platform/errors.ts";
import { handleWebhook } from "./webhooks.ts";
import { MINUTE_MS } from "../platform/clock.ts";

const FORGED_WEBHOOKS_PER_NETWORK = {
  name: "forged_webhooks_per_network",
  max: 60,
  windowMs: 15 * MINUTE_MS,
};

const EVENT_BYTES = 128 * 1024;

/** NOTE: the body is kept as text, because PayPal signed its exact bytes. */
export function registerWebhook({ ctx, http }: App): void {
  void http.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: EVENT_BYTES }, (_, body, done) =>
      done(null, body),
    );
    scope.post("/webhooks/paypal", async (request: FastifyRequest, reply) => {
      const { headers, body } = request;
      if (typeof body !== "string") throw new ApiError("malformed_request");
      // Each forged event costs a request to PayPal.
      const counted = [[FORGED_WEBHOOKS_PER_NETWORK, networkOf(request.ip)]] as const;
      const isAccepted = await ctx.rateLimits.countFailures(counted, async () =>
        (await handleWebhook(ctx, { headers, body })) ? true : null,
      );
      if (!isAccepted) throw new ApiError("malformed_request");
      return reply.header("cache-control", "no-store").send({});
    });
  });
}
