import type { PushSender } from "../integrations/push/push-sender.ts";
import type { AppContext } from "../platform/context.ts";
import { queueDueDigests } from "./digest.ts";
import { processOutbox } from "./outbox.ts";
import { readNextPushDue } from "./preferences.sql.ts";
import { sendDuePushes } from "./pushes.ts";

/** Returns the milliseconds until the next push, if known. */
export async function sendNotifications(ctx: AppContext, push: PushSender): Promise<number | null> {
  await processOutbox(ctx);
  await sendDuePushes(ctx, push);
  await queueDueDigests(ctx);
  const next = await readNextPushDue(ctx.db);
  return next && next.getTime() - ctx.clock.now().getTime();
}
