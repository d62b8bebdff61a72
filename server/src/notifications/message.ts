import type { Push } from "../integrations/push/web-push.ts";
import type { Deps } from "../platform/context.ts";
import { writeDue } from "./digest.ts";
import { gatherNews } from "./outbox.ts";
import { nextPush } from "./preferences.sql.ts";
import { pushDue } from "./pushes.ts";

/** Does all that is to be told by now; answers in how many milliseconds there is more, as far as is known. */
export async function tellNews(deps: Deps, push: Push): Promise<number | null> {
  await gatherNews(deps);
  await pushDue(deps, push);
  await writeDue(deps);
  const next = await nextPush(deps.db);
  return next && next.getTime() - deps.clock.now().getTime();
}
