import { readFileSync } from "node:fs";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../platform/http/router.ts";
import { DEFAULT_ICON, type ImageToken } from "./signed-urls.ts";
import { exportFiles } from "./export.ts";
import { countUploads, deleteMediaOf, deleteFiles, deleteUnclaimedMedia } from "./files.ts";
import { formats, type Wanted } from "./encoding/picture-set.ts";
import { deleteRows } from "./media.sql.ts";
import { sweepOrphans } from "./orphan-sweep.ts";
import { authorizeView, type IsHidden, readImage } from "./authorize-view.ts";

const HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

/** `isHidden` is passed in, because an import of safety would close a cycle. */
export function registerMedia(app: App, isHidden: IsHidden): void {
  const { ctx, http } = app;
  ctx.metrics.addGauge("alcove_uploads", "Pictures that are encoded or wait for a core.", countUploads);
  const defaultIcon = readFileSync(new URL("default-icon.svg", import.meta.url));

  http.get(DEFAULT_ICON, (_, reply) =>
    reply
      .header("cache-control", "public, max-age=86400")
      .headers(HEADERS)
      .type("image/svg+xml")
      .send(defaultIcon),
  );

  const serve = (kind: ImageToken["kind"]) => async (request: FastifyRequest, reply: FastifyReply) => {
    const authorized = await authorizeView(ctx, kind, (request.params as { token: string }).token, isHidden);
    const wanted = wantedBy(request);
    // The bytes behind a URL depend only on the accepted formats.
    const etag = `"${[wanted.width ?? "full", ...wanted.formats].join("-")}"`;
    const isCached = request.headers["if-none-match"] === etag;
    const image = isCached ? null : await readImage(ctx, authorized, wanted);
    // Only a success has these headers, so that all errors look alike.
    void reply
      .header("cache-control", "private, max-age=600")
      .header("vary", "origin, accept")
      .header("etag", etag)
      .headers(HEADERS);
    if (!image) return reply.code(304).send();
    const { format, bytes } = image;
    const [name, type] = format === "wav" ? ["voice", "audio"] : ["picture", "image"];
    return reply
      .header("content-disposition", `inline; filename="${name}.${format === "jpeg" ? "jpg" : format}"`)
      .type(`${type}/${format}`)
      .send(bytes);
  };
  http.get("/media/i/:token", serve("icon"));
  http.get("/media/m/:token", serve("message"));
  http.get("/media/c/:token", serve("clear"));

  ctx.domainEvents.on("database_restored", (tx, { mediaIds }) => deleteRows(tx, mediaIds));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteMediaOf(tx, ctx, memberId));
  ctx.personalDataExports.add((tx, me) => exportFiles(tx, ctx, me));
  ctx.jobs.handle("delete_media_files", ({ mediaIds }) => deleteFiles(ctx, mediaIds));
  ctx.jobs.handle("delete_unclaimed_media", () => deleteUnclaimedMedia(ctx));
  ctx.jobs.handle("sweep_orphaned_media", () => sweepOrphans(ctx));
}

/** `w` is a width in pixels. Browsers name the formats that they can show; all others get JPEG. */
function wantedBy(request: FastifyRequest): Wanted {
  const width = Number((request.query as { w?: string }).w);
  const accept = request.headers.accept ?? "";
  return {
    width: Number.isInteger(width) && width > 0 ? width : null,
    formats: formats.filter((format) => accept.includes(`image/${format}`)),
  };
}
