import type { App } from "../platform/http/router.ts";
import { deleteOldNetworks, endWaits, recordSignUp } from "./sign-up-networks.ts";
import { deleteNetworksOf } from "./sign-up-networks.sql.ts";

export function registerModeration(app: App): void {
  const { ctx } = app;
  ctx.domainEvents.on("member_joined", (tx, joined) => recordSignUp(tx, ctx, joined));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteNetworksOf(tx, memberId));
  ctx.jobs.handle("end_waits", () => endWaits(ctx));
  ctx.jobs.handle("sweep_moderation", () => deleteOldNetworks(ctx));
}
