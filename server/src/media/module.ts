import { readFileSync } from "node:fs";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../platform/http/router.ts";
import { DEFAULT_ICON, type Ticket } from "./signed-urls.ts";
import { exportPictures } from "./export.ts";
import { forgetMember, removeFiles, sweep } from "./files.ts";
import { STORED_TYPE } from "./re-encode.ts";
import { walkStore } from "./orphan-sweep.ts";
import { admit, look } from "./authorize-view.ts";

/** The bytes behind an address never change, so that one mark says all. */
const SAME_FOREVER = '"1"';
/** Whoever opens a picture by its address gets no more than a picture, whatever a browser takes it for. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Serves images under their signed addresses, and follows what happens to their owners. */
export function registerMedia(app: App): void {
  const { ctx, http } = app;
  const defaultIcon = readFileSync(new URL("default-icon.svg", import.meta.url));

  http.get(DEFAULT_ICON, (_, reply) =>
    reply
      .header("cache-control", "public, max-age=86400")
      .header("content-security-policy", NOTHING_RUNS)
      .type("image/svg+xml")
      .send(defaultIcon),
  );

  const serve = (kind: Ticket["kind"]) => async (request: FastifyRequest, reply: FastifyReply) => {
    const ticket = await admit(ctx, kind, (request.params as { token: string }).token);
    const isKnown = request.headers["if-none-match"] === SAME_FOREVER;
    const image = isKnown ? null : await look(ctx, ticket);
    // Not before there is something to show: all refusals look alike.
    void reply
      .header("cache-control", "private, max-age=600")
      .header("etag", SAME_FOREVER)
      .header("content-security-policy", NOTHING_RUNS)
      .header("content-disposition", 'inline; filename="picture.jpg"');
    return image ? reply.type(STORED_TYPE).send(image) : reply.code(304).send();
  };
  http.get("/media/i/:token", serve("icon"));
  http.get("/media/m/:token", serve("message"));
  http.get("/media/c/:token", serve("clear"));

  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => forgetMember(tx, ctx, memberId));
  ctx.personalDataExports.add((tx, me) => exportPictures(tx, ctx, me));
  ctx.jobs.handle("forget_files", ({ mediaIds }) => removeFiles(ctx, mediaIds));
  ctx.jobs.schedule("*/20 * * * *", "sweep_media", () => sweep(ctx));
  ctx.jobs.schedule("41 3 * * *", "walk_media_store", () => walkStore(ctx));
}
