import * as calls from "@alcove/contract/profiles";
import { getCorrections, requestCorrection as requestCorrectionCall } from "@alcove/contract/corrections";
import { previewIcon } from "../media/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { route, type App } from "../platform/http/router.ts";
import { changeProfile, validateWithSaved } from "./changes.ts";
import { exportCorrections, listCorrections, requestCorrection } from "./corrections.ts";
import { deleteCorrections } from "./corrections.sql.ts";
import * as filter from "./filter.ts";
import * as areas from "./hidden-areas.ts";
import { endAnswers } from "./notes.ts";
import * as pictures from "./pictures.ts";
import { exportProfile, presentOwnUser } from "./present.ts";
import { evictProfileText } from "./profile-text.ts";
import { updateSuspended } from "./profiles.sql.ts";
import { endPauses, saveVisibility } from "./visibility.ts";

export function registerProfiles(app: App): void {
  const { ctx } = app;
  route(
    app,
    calls.saveFilter,
    async ({ me, input }) => {
      await filter.saveFilter(ctx, me, input);
      return { user: await presentOwnUser(ctx, me) };
    },
    { extraValidation: ({ me, valid }) => filter.validateRanges(ctx, me, valid) },
  );
  route(
    app,
    calls.saveProfile,
    async ({ me, input }) => {
      await changeProfile(ctx, me, input);
      return { user: await presentOwnUser(ctx, me) };
    },
    { extraValidation: ({ me, valid }) => validateWithSaved(ctx, me, valid) },
  );
  const returningUser =
    <Input>(change: (ctx: AppContext, me: CurrentMember, input: Input) => Promise<void>) =>
    async ({ me, input }: { me: CurrentMember; input: Input }) => {
      await change(ctx, me, input);
      return { user: await presentOwnUser(ctx, me) };
    };
  route(app, calls.saveVisibility, returningUser(saveVisibility));
  route(app, calls.getHiddenAreas, ({ me }) => areas.listAreas(ctx, me));
  route(app, calls.addHiddenArea, async ({ me, input }) => {
    await areas.addArea(ctx, me, input);
    return areas.listAreas(ctx, me);
  });
  route(app, calls.removeHiddenArea, async ({ me, input }) => {
    await areas.removeArea(ctx, me, input.id);
    return areas.listAreas(ctx, me);
  });
  route(app, calls.addPicture, returningUser(pictures.addPicture));
  route(app, calls.changePicture, returningUser(pictures.changePicture));
  route(app, calls.orderPictures, returningUser(pictures.orderPictures));
  route(app, calls.removePicture, returningUser(pictures.removePicture));
  route(app, calls.previewIcon, ({ me, input }) => previewIcon(ctx, me.memberId, input.icon));
  route(app, getCorrections, ({ me }) => listCorrections(ctx, me));
  route(app, requestCorrectionCall, ({ me, input }) => requestCorrection(ctx, me, input));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteCorrections(tx, memberId));
  ctx.personalDataExports.add((tx, me) => exportCorrections(tx, ctx, me));
  ctx.jobs.handle("end_pauses", () => endPauses(ctx));
  ctx.jobs.handle("end_answers", () => endAnswers(ctx));
  ctx.domainEvents.on("member_joined", (tx, member) => filter.continueChanges(tx, ctx, member));
  ctx.domainEvents.on("member_deleted", async (tx, { memberId, counters }) => {
    counters.filterChanges = await filter.countChanges(tx, ctx, memberId);
  });
  ctx.domainEvents.on("member_suspended", (tx, { memberId }) => updateSuspended(tx, memberId, true));
  ctx.domainEvents.on("member_restored", (tx, { memberId }) => updateSuspended(tx, memberId, false));
  ctx.eventBus.subscribe("member_ended", ({ memberId }) => evictProfileText(memberId));
  ctx.personalDataExports.add((tx, me) => exportProfile(tx, ctx, me));
  ctx.personalDataExports.add((_tx, me) => areas.exportAreas(ctx, me));
}
