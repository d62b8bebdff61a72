import { contactSupport } from "@alcove/contract/contact";
import { type App, routePublic } from "../platform/http/router.ts";
import { contact, sendContactEmail } from "./contact.ts";

export function registerSupport(app: App): void {
  const { ctx } = app;
  routePublic(app, contactSupport, ({ input, lang, ip }) => contact(ctx, input, lang, ip));

  ctx.jobs.handle("contact_email", (job) => sendContactEmail(ctx, job));
}
