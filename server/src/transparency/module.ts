import type { App } from "../platform/http/router.ts";
import { countFigures } from "./figures.ts";

export function registerTransparency({ ctx }: App): void {
  ctx.jobs.handle("count_figures", () => countFigures(ctx));
}
