import type { App } from "../platform/http/router.ts";
import { sweepConsole } from "./console/operators.ts";
import { operatorKeys } from "./console/operators.sql.ts";

/** The part of the console that every process has. Its calls are on a server of their own, `console-server.ts`. */
export function registerConsole({ ctx }: App): void {
  ctx.encryption.keys.addUse(operatorKeys);
  ctx.jobs.schedule("*/10 * * * *", "sweep_console", () => sweepConsole(ctx));
}
