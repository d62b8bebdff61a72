import type { PushSender } from "../integrations/push/push-sender.ts";
import type { AppContext } from "../platform/context.ts";
import { queueDueDigests } from "./digest.ts";
import { SECOND_MS } from "../platform/clock.ts";
import { processOutbox } from "./outbox.ts";
import { withLookLock } from "./look-lock.sql.ts";
import { readNextPushDue } from "./preferences.sql.ts";
import { findDuePushes, sendPushes } from "./pushes.ts";

export const RETRY_MS = SECOND_MS;

/** Returns the milliseconds until the next push, if known. A look reads every shard, so one process looks at a time. */
export async function sendNotifications(ctx: AppContext, push: PushSender): Promise<number | null> {
  const due = await withLookLock(ctx.db, async () => {
    await processOutbox(ctx);
    await queueDueDigests(ctx);
    return findDuePushes(ctx);
  });
  if (!due) return RETRY_MS;
  await sendPushes(ctx, push, due);
  const next = await readNextPushDue(ctx.db);
  return next && next.getTime() - ctx.clock.now().getTime();
}
