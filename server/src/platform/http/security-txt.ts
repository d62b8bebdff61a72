import { DAY_MS } from "../clock.ts";
import type { App } from "./router.ts";

const VALID_DAYS = 360;

/** RFC 9116. Shows only the address for reports. */
export function registerSecurityTxt({ ctx, http }: App): void {
  const { supportEmail, publicUrl } = ctx.config;
  const path = "/.well-known/security.txt";
  // From the start: a server that is not updated for a year has no reader of reports.
  const expires = new Date(ctx.clock.now().getTime() + VALID_DAYS * DAY_MS);
  const fields = [
    `Contact: mailto:${supportEmail}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en, ja, zh",
    ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${path}`]),
  ];
  const text = `${fields.join("\n")}\n`;
  http.get(path, async (_, reply) =>
    reply.header("cache-control", "public, max-age=86400").type("text/plain; charset=utf-8").send(text),
  );
}
