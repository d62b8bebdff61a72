import {
  addNeverSee,
  blockUser,
  getBlocks,
  getNeverSee,
  removeNeverSee,
  unblockUser,
} from "@alcove/contract/safety";
import { mount, type App } from "../platform/http/router.ts";
import { block, blocks, exportBlocks, unblock } from "./blocks.ts";
import { deleteEdgesOf } from "./blocks.sql.ts";
import * as neverSee from "./never-see.ts";

/** Mounts blocks, and follows deletions. */
export function safetyRoutes(app: App): void {
  const { deps } = app;
  mount(app, blockUser, ({ me, input }) => block(deps, me, input.userId));
  mount(app, unblockUser, ({ me, input }) => unblock(deps, me, input.userId));
  mount(app, getBlocks, ({ me }) => blocks(deps, me));

  deps.exports.add((tx, me) => exportBlocks(tx, me));
  deps.exports.add((tx, me) => neverSee.exportEntries(tx, me));
  mount(app, getNeverSee, ({ me }) => neverSee.entriesOf(deps, me));
  mount(app, addNeverSee, ({ me, input }) => neverSee.addEntries(deps, me, input.who));
  mount(app, removeNeverSee, ({ me, input }) => neverSee.removeEntry(deps, me, input.id));

  deps.consequences.when("member_joined", (tx, newcomer) => neverSee.meetNewcomer(tx, deps, newcomer));
  deps.consequences.when("member_deleted", async (tx, { no, ...names }) => {
    await neverSee.forgetMember(tx, deps, no, names);
    await deleteEdgesOf(tx, no);
  });

  deps.jobs.handle("resolve_never_see", (job) => neverSee.resolveEntries(deps, job));
  deps.jobs.handle("meet_newcomer", ({ no }) => neverSee.meetNewcomerAgain(deps, no));
  deps.jobs.handleEvery("*/10 * * * *", "sweep_never_see", () => neverSee.finishDue(deps));
}
