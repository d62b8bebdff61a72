import {
  addNeverSee,
  blockUser,
  getBlocks,
  getNeverSee,
  noteNeverSee,
  removeNeverSee,
  unblockUser,
} from "@alcove/contract/safety";
import { addMemberJob, handleMemberJob } from "../platform/jobs/member-jobs.ts";
import { route, type App } from "../platform/http/router.ts";
import { blockMember, listBlocks, exportBlocks, unblockMember } from "./blocks.ts";
import { deleteEdgesOf } from "./blocks.sql.ts";
import { isHiddenFrom } from "./hidden.ts";
import * as neverSee from "./never-see.ts";
import { endPartings, partPair } from "./partings.ts";

/** The result serves features that this one imports. */
export function registerSafety(app: App): { isHidden: typeof isHiddenFrom } {
  const { ctx } = app;
  route(app, blockUser, ({ me, input }) => blockMember(ctx, me, input.userId));
  route(app, unblockUser, ({ me, input }) => unblockMember(ctx, me, input.userId));
  route(app, getBlocks, ({ me }) => listBlocks(ctx, me));

  ctx.personalDataExports.add((tx, me) => exportBlocks(tx, ctx, me));
  ctx.personalDataExports.add((tx, me) => neverSee.exportEntries(tx, ctx, me));
  route(app, getNeverSee, ({ me }) => neverSee.entriesOf(ctx, me));
  route(app, addNeverSee, ({ me, input }) => neverSee.addEntries(ctx, me, input));
  route(app, noteNeverSee, ({ me, input }) => neverSee.noteEntry(ctx, me, input));
  route(app, removeNeverSee, ({ me, input }) => neverSee.removeEntry(ctx, me, input.id));

  ctx.domainEvents.on("pair_unmatched", (tx, { by, other }) => partPair(tx, ctx, by, other));
  ctx.jobs.handle("end_partings", () => endPartings(ctx));
  ctx.domainEvents.on("member_joined", (tx, member) => neverSee.applyToNewMember(tx, ctx, member));
  // The job locks others by rising number.
  ctx.domainEvents.on("email_changed", (tx, { memberId }) =>
    addMemberJob(tx, ctx, "apply_never_see", memberId),
  );
  ctx.domainEvents.on("member_deleted", async (tx, { memberId }) => {
    await neverSee.deleteMemberEntries(tx, memberId);
    await deleteEdgesOf(tx, memberId);
  });

  ctx.jobs.handle("resolve_never_see", (job) => neverSee.resolveEntries(ctx, job));
  handleMemberJob(ctx, "apply_never_see", (memberId) => neverSee.applyToNewMemberAgain(ctx, memberId));
  return { isHidden: isHiddenFrom };
}
