import {
  getOptions,
  getUser,
  likeUser,
  passUser,
  saveLocation,
  undoPass as undoPassCall,
  getClearIconViewers,
  hideClearIcon as hideClearIconCall,
  showClearIcon as showClearIconCall,
} from "@alcove/contract/discovery";
import { route, type App } from "../platform/http/router.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { countCells } from "./cell-counts.ts";
import { exportDiscovery } from "./export.ts";
import { forgetAbout, forgetMember, sweepDays } from "./on-member-deleted.ts";
import { clearIconViewers, hideClearIcon, showClearIcon } from "./clear-viewers.ts";
import { deleteViewersOf } from "./clear-viewers.sql.ts";
import { like } from "./likes.ts";
import { relist, unlist } from "./search-index.ts";
import { announceMatch, completeMatch, dropLike, partPair, sweepMatches } from "./matches.ts";
import { options } from "./options.ts";
import { pass } from "./passes.ts";
import * as position from "./position.ts";
import { profilePage } from "./profile-page.ts";
import { undoPass } from "./undo.ts";

/** Mounts positions, candidates, likes and passes, and follows what happens to members. */
export function registerDiscovery(app: App): void {
  const { ctx } = app;
  route(
    app,
    saveLocation,
    async ({ me, input }) => {
      await position.saveLocation(ctx, me, input.location);
      return { user: await presentOwnUser(ctx, me) };
    },
    { limit: "location_changes" },
  );
  route(app, getOptions, ({ me, input }) => options(ctx, me, input.ids));
  route(app, likeUser, ({ me, input }) => like(ctx, me, input.likedId));
  route(app, passUser, ({ me, input }) => pass(ctx, me, input.unlikedId));
  route(app, undoPassCall, ({ me }) => undoPass(ctx, me));
  route(app, getUser, ({ me, input }) => profilePage(ctx, me, input.userId));
  route(app, getClearIconViewers, ({ me }) => clearIconViewers(ctx, me));
  route(app, showClearIconCall, ({ me, input }) => showClearIcon(ctx, me, input.userId));
  route(app, hideClearIconCall, ({ me, input }) => hideClearIcon(ctx, me, input.userId));

  ctx.domainEvents.on("filter_saved", (tx, { memberId }) => relist(tx, ctx, memberId));
  ctx.domainEvents.on("member_suspended", (tx, { memberId }) => unlist(tx, memberId));
  ctx.domainEvents.on("member_restored", (tx, { memberId }) => relist(tx, ctx, memberId));
  ctx.domainEvents.on("member_deleted", (tx, member) => forgetMember(tx, ctx, member));
  ctx.domainEvents.on("pair_blocked", (tx, { by, other }) => partPair(tx, ctx, by, other));
  ctx.domainEvents.on("pair_unblocked", (tx, { by, other }) => partPair(tx, ctx, by, other));
  ctx.domainEvents.on("clear_icon_changed", (tx, { memberId }) => deleteViewersOf(tx, memberId));

  ctx.domainEvents.on("member_hidden", (tx, { from, hidden }) => dropLike(tx, ctx, from, hidden));

  ctx.eventBus.subscribe("matched", (event) => announceMatch(ctx, event));

  ctx.personalDataExports.add((tx, me) => exportDiscovery(tx, ctx, me));

  ctx.jobs.handle("check_match", async ({ one, other }) => {
    await completeMatch(ctx, one, other);
  });
  ctx.jobs.handle("forget_verdicts", ({ memberId }) => forgetAbout(ctx, memberId));
  ctx.jobs.schedule("* * * * *", "count_cells", () => countCells(ctx));
  ctx.jobs.schedule("41 3 * * *", "sweep_days", () => sweepDays(ctx));
  ctx.jobs.schedule("23 * * * *", "sweep_matches", () => sweepMatches(ctx));
}
