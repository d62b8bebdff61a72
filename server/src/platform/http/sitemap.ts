import type { FastifyRequest } from "fastify";
import type { App } from "./router.ts";
import type { WebPage } from "./web-pages.ts";

const ALTERNATE = /<link rel="alternate" hrefLang="([\w-]+)" href="[^"]*?(\/[\w-]+(?:\/[\w-]+)?)"\/>/gi;

export function registerSitemap({ ctx, http }: App, pages: ReadonlyMap<string, WebPage>): void {
  const listed = [...pages]
    .filter(([, { none }]) => !none.html.includes('<meta name="robots" content="noindex"'))
    .map(([file, { none }]) => ({ path: `/${file.replace(/\/index\.html$/, "")}`, html: none.html }));
  const originOf = (request: FastifyRequest) =>
    ctx.config.publicUrl ?? `${request.protocol}://${request.host}`;

  http.get("/robots.txt", async (request, reply) =>
    reply
      .type("text/plain; charset=utf-8")
      .send(`User-agent: *\nAllow: /\n\nSitemap: ${originOf(request)}/sitemap.xml\n`),
  );
  http.get("/sitemap.xml", async (request, reply) => {
    const origin = originOf(request);
    const urls = listed.map(({ path, html }) => {
      const alternates = [...html.matchAll(ALTERNATE)].map(
        ([, language, other]) =>
          `<xhtml:link rel="alternate" hreflang="${language}" href="${origin}${other}"/>`,
      );
      return `<url><loc>${origin}${path}</loc>${alternates.join("")}</url>`;
    });
    return reply
      .type("application/xml; charset=utf-8")
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join("\n")}\n</urlset>\n`,
      );
  });
}
