import {
  endLetters as endLettersCall,
  getNotifications,
  saveNotifications,
  sawNews as sawNewsCall,
  subscribePush,
  unsubscribePush,
} from "@alcove/contract/notifications";
import { openPush } from "../integrations/push/web-push.ts";
import { mount, mountPublic, type App } from "../platform/http/router.ts";
import { readChoices, saveChoices } from "./preferences.ts";
import { endLetters, sendDigest } from "./digest.ts";
import { exportNotifications, forgetNotifications } from "./on-member-deleted.ts";
import { queueNews, sawNews } from "./outbox.ts";
import { forgetAllDue } from "./preferences.sql.ts";
import { forgetSession, subscribe, sweepDevices, unsubscribe } from "./subscriptions.ts";
import { tellNews } from "./message.ts";
import { Watch } from "./scheduler.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    tell_news: unknown;
    sweep_devices: unknown;
  }
}

/** A second, so that a burst of messages is looked at once. */
const SOON_MS = 1_000;

/** Notifications and letters about something new. */
export function notificationRoutes(app: App): void {
  const { deps, http } = app;
  const push = openPush(deps.settings, deps.secrets);
  const watch = new Watch(async () => (deps.jobs.isRunning ? tellNews(deps, push) : null), deps.log);
  const limit = "notification_changes";
  mount(app, getNotifications, ({ me }) => readChoices(deps, me));
  mount(app, saveNotifications, ({ me, input }) => saveChoices(deps, me, input), { limit });
  mount(app, subscribePush, ({ me, input, lang }) => subscribe(deps, me, input, lang), { limit });
  mount(app, unsubscribePush, ({ me, input }) => unsubscribe(deps, me, input.endpoint), { limit });
  mount(app, sawNewsCall, ({ me }) => sawNews(deps, me), { limit: "seen_news" });
  mountPublic(app, endLettersCall, ({ input }) => endLetters(deps, input.token));

  deps.consequences.when("messages_stored", (tx, { to }) => queueNews(tx, to, "message"));
  deps.consequences.when("match_made", (tx, { a, b }) => queueNews(tx, [a, b], "match"));
  deps.consequences.when("member_deleted", (tx, { no }) => forgetNotifications(tx, no));
  deps.consequences.when("database_restored", (tx) => forgetAllDue(tx));
  deps.live.on("dm", () => watch.lookIn(SOON_MS));
  deps.live.on("matched", () => watch.lookIn(SOON_MS));
  deps.live.on("session_ended", ({ session }) => forgetSession(deps, session));
  deps.exports.add((tx, me) => exportNotifications(tx, me));
  deps.jobs.handle("digest_letter", (job) => sendDigest(deps, job));
  deps.jobs.handleEvery("* * * * *", "tell_news", () => watch.look());
  deps.jobs.handleEvery("17 4 * * *", "sweep_devices", () => sweepDevices(deps));
  http.addHook("onClose", () => watch.stop());
}
