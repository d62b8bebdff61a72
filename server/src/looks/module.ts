import { getLooks } from "@alcove/contract/looks";
import { route, type App } from "../platform/http/router.ts";
import { listLooks, readLooks } from "./looks.ts";

export function registerLooks(app: App): void {
  const { ctx } = app;
  route(app, getLooks, ({ me }) => listLooks(ctx, me));
  ctx.personalDataExports.add(async (tx, me) => ({
    values: { looks: await readLooks(tx, me.memberId, ctx.clock.now()) },
  }));
}
