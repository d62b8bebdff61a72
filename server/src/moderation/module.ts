import type { App } from "../platform/http/router.ts";
import { addReviews, deleteSeenReviews } from "./picture-reviews.ts";
import { deleteReviewsOf } from "./picture-reviews.sql.ts";
import { deleteOldNetworks, endWaits, recordSignUp } from "./sign-up-networks.ts";
import { deleteNetworksOf } from "./sign-up-networks.sql.ts";

export function registerModeration(app: App): void {
  const { ctx } = app;
  ctx.domainEvents.on("member_joined", (tx, joined) => recordSignUp(tx, ctx, joined));
  ctx.domainEvents.on("pictures_added", (tx, added) => addReviews(tx, ctx, added));
  ctx.domainEvents.on("member_deleted", async (tx, { memberId }) => {
    await deleteReviewsOf(tx, memberId);
    await deleteNetworksOf(tx, memberId);
  });
  ctx.jobs.handle("end_waits", () => endWaits(ctx));
  ctx.jobs.handle("sweep_moderation", async () => {
    await deleteOldNetworks(ctx);
    await deleteSeenReviews(ctx);
  });
}
