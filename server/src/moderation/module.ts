import type { App } from "../platform/http/router.ts";
import { deleteOldNetworks, endWaits, recordSignUp } from "./sign-up-networks.ts";
import { deleteNetworksOf } from "./sign-up-networks.sql.ts";
import { comparePictures, deleteOldPictures, hashPicturesOf } from "./suspended-pictures.ts";
import { deleteFlagsOf, deletePicturesOf } from "./suspended-pictures.sql.ts";

export function registerModeration(app: App): void {
  const { ctx } = app;
  ctx.domainEvents.on("member_joined", (tx, joined) => recordSignUp(tx, ctx, joined));
  ctx.domainEvents.on("pictures_added", (tx, added) => ctx.jobs.add(tx, "compare_pictures", added));
  ctx.domainEvents.on("member_suspended", (tx, { memberId }) =>
    ctx.jobs.add(tx, "hash_suspended_pictures", { memberId }),
  );
  ctx.domainEvents.on("member_restored", async (tx, { memberId }) => {
    await deletePicturesOf(tx, memberId);
    await deleteFlagsOf(tx, memberId);
  });
  ctx.domainEvents.on("member_deleted", async (tx, { memberId }) => {
    await deletePicturesOf(tx, memberId);
    await deleteFlagsOf(tx, memberId);
    await deleteNetworksOf(tx, memberId);
  });
  ctx.jobs.handle("hash_suspended_pictures", ({ memberId }) => hashPicturesOf(ctx, memberId));
  ctx.jobs.handle("compare_pictures", ({ memberId, mediaIds }) => comparePictures(ctx, memberId, mediaIds));
  ctx.jobs.handle("end_waits", () => endWaits(ctx));
  ctx.jobs.handle("sweep_moderation", async () => {
    await deleteOldPictures(ctx);
    await deleteOldNetworks(ctx);
  });
}
