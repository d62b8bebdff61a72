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
import { mount, type App } from "../platform/http/router.ts";
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

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    count_cells: unknown;
    sweep_matches: unknown;
  }
}

/** Mounts positions, candidates, likes and passes, and follows what happens to members. */
export function discoveryRoutes(app: App): void {
  const { deps } = app;
  mount(
    app,
    saveLocation,
    async ({ me, input }) => {
      await position.saveLocation(deps, me, input.location);
      return { user: await presentOwnUser(deps, me) };
    },
    { limit: "positions" },
  );
  mount(app, getOptions, ({ me, input }) => options(deps, me, input.ids));
  mount(app, likeUser, ({ me, input }) => like(deps, me, input.likedId));
  mount(app, passUser, ({ me, input }) => pass(deps, me, input.unlikedId));
  mount(app, undoPassCall, ({ me }) => undoPass(deps, me));
  mount(app, getUser, ({ me, input }) => profilePage(deps, me, input.userId));
  mount(app, getClearIconViewers, ({ me }) => clearIconViewers(deps, me));
  mount(app, showClearIconCall, ({ me, input }) => showClearIcon(deps, me, input.userId));
  mount(app, hideClearIconCall, ({ me, input }) => hideClearIcon(deps, me, input.userId));

  deps.consequences.when("filter_saved", (tx, { no }) => relist(tx, deps, no));
  deps.consequences.when("member_suspended", (tx, { no }) => unlist(tx, no));
  deps.consequences.when("member_restored", (tx, { no }) => relist(tx, deps, no));
  deps.consequences.when("member_deleted", (tx, member) => forgetMember(tx, deps, member));
  deps.consequences.when("pair_blocked", (tx, { by, other }) => partPair(tx, deps, by, other));
  deps.consequences.when("pair_unblocked", (tx, { by, other }) => partPair(tx, deps, by, other));
  deps.consequences.when("clear_icon_changed", (tx, { no }) => deleteViewersOf(tx, no));

  deps.consequences.when("member_hidden", (tx, { from, hidden }) => dropLike(tx, deps, from, hidden));

  deps.live.on("matched", (hint) => announceMatch(deps, hint));

  deps.exports.add((tx, me) => exportDiscovery(tx, deps, me));

  deps.jobs.handle("check_match", async ({ one, other }) => {
    await completeMatch(deps, one, other);
  });
  deps.jobs.handle("forget_verdicts", ({ no }) => forgetAbout(deps, no));
  deps.jobs.handleEvery("* * * * *", "count_cells", () => countCells(deps));
  deps.jobs.handleEvery("41 3 * * *", "sweep_days", () => sweepDays(deps));
  deps.jobs.handleEvery("23 * * * *", "sweep_matches", () => sweepMatches(deps));
}
