import * as calls from "@alcove/contract/discovery";
import { removeEnded as removeEndedCall } from "@alcove/contract/messaging";
import { handleMemberJob } from "../platform/jobs/member-jobs.ts";
import { route, type App } from "../platform/http/router.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { saveArrival } from "./cards/arrival.ts";
import { countCells } from "./search/cell-counts.ts";
import { continueDayCounters } from "./day-counters.ts";
import { exportDiscovery } from "./export.ts";
import { deleteReferences, deleteDiscoveryData, deleteExpired, endConnections } from "./on-member-deleted.ts";
import { clearIconViewers, hideClearIcon, showClearIcon } from "./matches/clear-icon-viewers.ts";
import { deleteViewersOf } from "./matches/clear-icon-viewers.sql.ts";
import { deliverLikes, like } from "./likes.ts";
import { recordVisit, updateSearchRow, removeSearchRow } from "./search/search-index.ts";
import { correctCounts, countVerdict, storeCounts } from "./search/order-inputs.ts";
import { pushMatchToSockets, completeMatch, separatePair, completeMissedMatches } from "./matches/matches.ts";
import { deleteEndedBySuspension } from "./matches/ended-matches.sql.ts";
import { deleteOldEnded, endBySuspension, removeEnded } from "./matches/ended-matches.ts";
import { unmatch } from "./matches/unmatch.ts";
import { fetchOptions } from "./cards/options.ts";
import { pass, passForGood } from "./passes.ts";
import { placeAdvice } from "./position/place-advice.ts";
import * as position from "./position/position.ts";
import { profilePage } from "./profile-page.ts";
import { listLikes, takeBackLike } from "./own-likes.ts";
import { undo } from "./undo.ts";

export function registerDiscovery(app: App): void {
  const { ctx } = app;
  route(app, calls.saveLocationPrecision, async ({ me, input }) => {
    await position.saveLocationPrecision(ctx, me, input.location_precision);
    return { user: await presentOwnUser(ctx, me) };
  });
  route(app, calls.saveLocation, async ({ me, input }) => {
    await position.saveLocation(ctx, me, input.location);
    return { user: await presentOwnUser(ctx, me) };
  });
  route(app, calls.saveArrival, async ({ me, input }) => {
    await saveArrival(ctx, me, input);
    return { user: await presentOwnUser(ctx, me) };
  });
  route(app, calls.getPlaceAdvice, ({ me }) => placeAdvice(ctx, me));
  route(app, calls.getOptions, ({ me, input }) => fetchOptions(ctx, me, input.ids));
  route(app, calls.likeUser, ({ me, input }) => like(ctx, me, input.likedId));
  route(app, calls.passUser, ({ me, input }) => pass(ctx, me, input.unlikedId));
  route(app, calls.neverAgain, ({ me, input }) => passForGood(ctx, me, input.userId));
  route(app, calls.undoPass, ({ me }) => undo(ctx, me));
  route(app, calls.getLikes, ({ me }) => listLikes(ctx, me));
  route(app, calls.takeBackLike, ({ me, input }) => takeBackLike(ctx, me, input.userId));
  route(app, calls.unmatch, ({ me, input }) => unmatch(ctx, me, input));
  route(app, removeEndedCall, ({ me, input }) => removeEnded(ctx, me, input.id));
  route(app, calls.getUser, ({ me, input }) => profilePage(ctx, me, input.userId));
  route(app, calls.getClearIconViewers, ({ me }) => clearIconViewers(ctx, me));
  route(app, calls.showClearIcon, ({ me, input }) => showClearIcon(ctx, me, input.userId));
  route(app, calls.hideClearIcon, ({ me, input }) => hideClearIcon(ctx, me, input.userId));

  ctx.domainEvents.on("filter_saved", (tx, { memberId }) => updateSearchRow(tx, ctx, memberId));
  ctx.domainEvents.on("person_corrected", (tx, { memberId }) => updateSearchRow(tx, ctx, memberId));
  ctx.domainEvents.on("member_visited", (tx, { memberId }) => recordVisit(tx, ctx, memberId));
  ctx.domainEvents.on("visibility_saved", (tx, { memberId }) => updateSearchRow(tx, ctx, memberId));
  ctx.domainEvents.on("member_suspended", async (tx, { memberId }) => {
    await removeSearchRow(tx, memberId);
    return endBySuspension(tx, ctx, memberId);
  });
  ctx.domainEvents.on("member_restored", async (tx, { memberId }) => {
    await updateSearchRow(tx, ctx, memberId);
    await deleteEndedBySuspension(tx, memberId);
  });
  ctx.domainEvents.on("member_joined", (tx, member) => continueDayCounters(tx, ctx, member));
  ctx.domainEvents.on("account_handed_over", (tx, member) => endConnections(tx, ctx, member));
  ctx.domainEvents.on("member_deleted", (tx, member) => deleteDiscoveryData(tx, ctx, member));
  ctx.domainEvents.on("wait_ended", (tx, { memberId }) => deliverLikes(tx, ctx, memberId));
  ctx.domainEvents.on("pair_blocked", (tx, { by, other }) => separatePair(tx, ctx, by, other));
  ctx.domainEvents.on("pair_unmatched", (tx, { by, other, goodbye }) =>
    separatePair(tx, ctx, by, other, goodbye),
  );
  ctx.domainEvents.on("pair_unblocked", (tx, { by, other }) => separatePair(tx, ctx, by, other));
  ctx.domainEvents.on("clear_icon_changed", (tx, { memberId }) => deleteViewersOf(tx, memberId));

  ctx.eventBus.subscribe("matched", (event) => pushMatchToSockets(ctx, event));

  ctx.personalDataExports.add((tx, me) => exportDiscovery(tx, ctx, me));

  ctx.jobs.handle("check_match", async ({ one, other }) => {
    await completeMatch(ctx, one, other);
    for (const memberId of [one, other]) await storeCounts(ctx, memberId);
  });
  ctx.jobs.handle("count_order_inputs", async ({ memberIds }) => {
    for (const memberId of memberIds) await storeCounts(ctx, memberId);
  });
  ctx.jobs.handle("count_verdict", (verdict) => countVerdict(ctx, verdict));
  handleMemberJob(ctx, "delete_verdicts_about", (memberId) => deleteReferences(ctx, memberId));
  ctx.jobs.handle("count_cells", () => countCells(ctx));
  ctx.jobs.handle("delete_expired_days_and_decks", () => deleteExpired(ctx));
  ctx.jobs.handle("delete_old_ended_matches", () => deleteOldEnded(ctx));
  ctx.jobs.handle("correct_order_inputs", () => correctCounts(ctx));
  ctx.jobs.handle("complete_missed_matches", () => completeMissedMatches(ctx));
}
