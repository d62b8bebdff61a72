import type { PushSender } from "../integrations/push/web-push.ts";
import type { AppContext } from "../platform/context.ts";
import { writeDue } from "./digest.ts";
import { gatherNews } from "./outbox.ts";
import { nextPush } from "./preferences.sql.ts";
import { pushDue } from "./pushes.ts";

/** Does all that is to be told by now; answers in how many milliseconds there is more, as far as is known. */
export async function tellNews(ctx: AppContext, push: PushSender): Promise<number | null> {
  await gatherNews(ctx);
  await pushDue(ctx, push);
  await writeDue(ctx);
  const next = await nextPush(ctx.db);
  return next && next.getTime() - ctx.clock.now().getTime();
}
