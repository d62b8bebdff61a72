import {
  endLetters as endLettersCall,
  getNotifications,
  saveNotifications,
  sawNews as sawNewsCall,
  subscribePush,
  unsubscribePush,
} from "@alcove/contract/notifications";
import { openPush } from "../integrations/push/web-push.ts";
import { route, routePublic, type App } from "../platform/http/router.ts";
import { readChoices, saveChoices } from "./preferences.ts";
import { endLetters, sendDigest } from "./digest.ts";
import { exportNotifications, forgetNotifications } from "./on-member-deleted.ts";
import { queueNews, sawNews } from "./outbox.ts";
import { forgetAllDue } from "./preferences.sql.ts";
import { forgetSession, subscribe, sweepDevices, unsubscribe } from "./subscriptions.ts";
import { tellNews } from "./message.ts";
import { Watch } from "./scheduler.ts";

/** A second, so that a burst of messages is looked at once. */
const SOON_MS = 1_000;

/** Notifications and letters about something new. */
export function registerNotifications(app: App): void {
  const { ctx, http } = app;
  const push = openPush(ctx.config, ctx.secrets);
  const watch = new Watch(async () => (ctx.jobs.isRunning ? tellNews(ctx, push) : null), ctx.log);
  const limit = "notification_changes";
  route(app, getNotifications, ({ me }) => readChoices(ctx, me));
  route(app, saveNotifications, ({ me, input }) => saveChoices(ctx, me, input), { limit });
  route(app, subscribePush, ({ me, input, lang }) => subscribe(ctx, me, input, lang), { limit });
  route(app, unsubscribePush, ({ me, input }) => unsubscribe(ctx, me, input.endpoint), { limit });
  route(app, sawNewsCall, ({ me }) => sawNews(ctx, me), { limit: "notifications_seen" });
  routePublic(app, endLettersCall, ({ input }) => endLetters(ctx, input.token));

  ctx.domainEvents.on("messages_stored", (tx, { to }) => queueNews(tx, to, "message"));
  ctx.domainEvents.on("match_made", (tx, { a, b }) => queueNews(tx, [a, b], "match"));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => forgetNotifications(tx, memberId));
  ctx.domainEvents.on("database_restored", (tx) => forgetAllDue(tx));
  ctx.eventBus.subscribe("message_sent", () => watch.lookIn(SOON_MS));
  ctx.eventBus.subscribe("matched", () => watch.lookIn(SOON_MS));
  ctx.eventBus.subscribe("session_ended", ({ session }) => forgetSession(ctx, session));
  ctx.personalDataExports.add((tx, me) => exportNotifications(tx, me));
  ctx.jobs.handle("digest_email", (job) => sendDigest(ctx, job));
  ctx.jobs.schedule("* * * * *", "tell_news", () => watch.look());
  ctx.jobs.schedule("17 4 * * *", "sweep_devices", () => sweepDevices(ctx));
  http.addHook("onClose", () => watch.stop());
}
