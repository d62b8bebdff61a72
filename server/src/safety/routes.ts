import { blockUser, getBlocks, unblockUser } from "@alcove/contract/safety";
import { mount, type App } from "../platform/mount.ts";
import { block, blocks, exportBlocks, unblock } from "./blocks.ts";
import { deleteEdgesOf } from "./blocks.sql.ts";

/** Mounts blocks, and follows deletions. */
export function safetyRoutes(app: App): void {
  const { deps } = app;
  mount(app, blockUser, ({ me, input }) => block(deps, me, input.userId));
  mount(app, unblockUser, ({ me, input }) => unblock(deps, me, input.userId));
  mount(app, getBlocks, ({ me }) => blocks(deps, me));

  deps.exports.add((tx, me) => exportBlocks(tx, me));
  deps.consequences.when("member_deleted", (tx, { no }) => deleteEdgesOf(tx, no));
}
