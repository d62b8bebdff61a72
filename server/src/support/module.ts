import { contactSupport } from "@alcove/contract/contact";
import { askHelp, getHelp } from "@alcove/contract/help";
import { type App, route, routePublic } from "../platform/http/router.ts";
import { contact, sendContactEmail } from "./contact.ts";
import { ask, exportHelp, readHelp, sendHelpEmail } from "./help.ts";
import { deleteMessagesOf } from "./help.sql.ts";

export function registerSupport(app: App): void {
  const { ctx } = app;
  routePublic(app, contactSupport, ({ input, lang, ip }) => contact(ctx, input, lang, ip));
  route(app, getHelp, ({ me }) => readHelp(ctx, me));
  route(app, askHelp, ({ me, input }) => ask(ctx, me, input.text));

  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteMessagesOf(tx, memberId));
  ctx.eventBus.subscribe("help_answered", ({ memberId }) => ctx.sockets.send(memberId, () => ({ help: {} })));
  ctx.personalDataExports.add((tx, me) => exportHelp(tx, ctx, me));
  ctx.jobs.handle("contact_email", (job) => sendContactEmail(ctx, job));
  ctx.jobs.handle("help_email", (job) => sendHelpEmail(ctx, job));
}
