import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../platform/http/router.ts";
import { networkOf } from "../platform/security/client-network.ts";
import { ApiError } from "../platform/errors.ts";
import { takeWebhook } from "./webhooks.ts";

/** PayPal's own events have a few kilobytes. */
const EVENT_BYTES = 128 * 1024;

/** Where PayPal sends its events: below no language, and read letter by letter, for that is what it signed. */
export function webhookRoute({ ctx, http }: App): void {
  void http.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: EVENT_BYTES }, (_, body, done) =>
      done(null, body),
    );
    scope.post("/webhooks/paypal", async (request: FastifyRequest, reply) => {
      const { headers, body } = request;
      if (typeof body !== "string") throw new ApiError("malformed_request");
      // Each made up one has PayPal asked about it.
      const counted = [["forged_webhooks_of_network", networkOf(request.ip)]] as const;
      const isTaken = await ctx.rateLimits.takeFailures(counted, async () =>
        (await takeWebhook(ctx, { headers, body })) ? true : null,
      );
      if (!isTaken) throw new ApiError("malformed_request");
      return reply.header("cache-control", "no-store").send({});
    });
  });
}
