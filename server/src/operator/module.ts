import type { App } from "../platform/http/router.ts";
import { sweepConsole } from "./console/operators.ts";
import { deleteRequestsAbout } from "./requests.ts";
import { operatorKeys } from "./console/operators.sql.ts";

/** Every process has this part of the console. `console-server.ts` serves its calls. */
export function registerConsole({ ctx }: App): void {
  ctx.encryption.keys.addUse(operatorKeys);
  ctx.domainEvents.on("member_deleted", (tx, member) => deleteRequestsAbout(tx, member));
  ctx.jobs.handle("sweep_console", () => sweepConsole(ctx));
}
