import { randomUUID } from "node:crypto";
import {
  endLetters,
  getNotifications,
  saveNotifications,
  sawNews,
  subscribePush,
  subscribeNativePush,
  unsubscribeNativePush,
  unsubscribePush,
} from "@alcove/contract/notifications";
import { createPushSender } from "../integrations/push/push-sender.ts";
import { route, routePublic, type App } from "../platform/http/router.ts";
import { sendDigest, unsubscribeFromDigest } from "./digest.ts";
import { exportNotifications } from "./export.ts";
import { readQuiet } from "../profiles/index.ts";
import { findLocalTime } from "./local-time.ts";
import { deleteNotificationData } from "./on-member-deleted.ts";
import { addEntry } from "./outbox.sql.ts";
import { markSeen } from "./outbox.ts";
import { clearAllDue, restartLooks } from "./preferences.sql.ts";
import { readPreferences, savePreferences } from "./preferences.ts";
import { notifySoon, Scheduler } from "./scheduler.ts";
import { sendNotifications } from "./send-notifications.ts";
import { lookForSomebodyNew } from "./somebody-new.ts";
import {
  deleteEndedDevices,
  deleteSessionDevices,
  subscribe,
  subscribeNative,
  unsubscribe,
} from "./subscriptions.ts";
import { updateLanguage } from "./subscriptions.sql.ts";

export function registerNotifications(app: App): { findLocalTime: typeof findLocalTime } {
  const { ctx, http } = app;
  const push = createPushSender(ctx);
  const scheduler = new Scheduler(ctx, async () =>
    ctx.jobs.isRunning ? sendNotifications(ctx, push) : null,
  );
  route(app, getNotifications, ({ me }) => readPreferences(ctx, me));
  route(app, saveNotifications, ({ me, input }) => savePreferences(ctx, me, input));
  route(app, subscribePush, ({ me, input, lang }) => subscribe(ctx, me, input, lang));
  route(app, subscribeNativePush, ({ me, input, lang }) => subscribeNative(ctx, me, input, lang));
  route(app, unsubscribePush, ({ me, input }) => unsubscribe(ctx, me, input));
  route(app, unsubscribeNativePush, ({ me, input }) => unsubscribe(ctx, me, input));
  route(app, sawNews, ({ me }) => markSeen(ctx, me));
  routePublic(app, endLetters, ({ input }) => unsubscribeFromDigest(ctx, input.token));

  ctx.domainEvents.on("match_made", async (tx, { a, b }) => {
    const quiet = await readQuiet(tx, [a, b]);
    const areNeeded: boolean[] = [];
    for (const [memberId, other] of [
      [a, b],
      [b, a],
    ] as const)
      if (!quiet.has(other))
        areNeeded.push(await addEntry(tx, { memberId, from: null, entryId: randomUUID(), kind: "match" }));
    return () => areNeeded.includes(true) && notifySoon(ctx);
  });
  ctx.domainEvents.on("news_added", async (tx, { memberId, kind }) => {
    const isNeeded = await addEntry(tx, { memberId, from: null, entryId: randomUUID(), kind });
    return () => isNeeded && notifySoon(ctx);
  });
  ctx.domainEvents.on("filter_saved", (tx, { memberId }) => restartLooks(tx, memberId));
  ctx.domainEvents.on("language_chosen", (tx, { memberId, language }) =>
    updateLanguage(tx, memberId, language),
  );
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteNotificationData(tx, memberId));
  ctx.domainEvents.on("database_restored", (tx) => clearAllDue(tx));
  ctx.eventBus.subscribe("session_ended", ({ memberId, session }) =>
    deleteSessionDevices(ctx, memberId, session),
  );
  ctx.personalDataExports.add((tx, me) => exportNotifications(tx, me));
  ctx.jobs.handle("digest_email", (job) => sendDigest(ctx, job));
  ctx.jobs.handle("send_notifications", () => scheduler.run());
  ctx.jobs.handle("look_for_somebody_new", () => lookForSomebodyNew(ctx));
  ctx.jobs.handle("delete_ended_devices", () => deleteEndedDevices(ctx));
  http.addHook("onClose", async () => {
    await scheduler.stop();
    push.close();
  });
  return { findLocalTime };
}
