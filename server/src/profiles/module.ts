import { previewIcon as previewIconCall, saveFilter, saveProfile } from "@alcove/contract/profiles";
import { previewIcon } from "../media/index.ts";
import { route, type App } from "../platform/http/router.ts";
import { changeProfile, validateHeight } from "./changes.ts";
import * as filter from "./filter.ts";
import { exportProfile, presentOwnUser } from "./present.ts";
import { evictProfileText } from "./profile-text.ts";

export function registerProfiles(app: App): void {
  const { ctx } = app;
  route(
    app,
    saveFilter,
    async ({ me, input }) => {
      await filter.saveFilter(ctx, me, input);
      return { user: await presentOwnUser(ctx, me) };
    },
    { extraValidation: ({ me, valid }) => filter.validateRanges(ctx, me, valid) },
  );
  route(
    app,
    saveProfile,
    async ({ me, input }) => {
      await changeProfile(ctx, me, input);
      return { user: await presentOwnUser(ctx, me) };
    },
    { extraValidation: ({ me, valid }) => validateHeight(ctx, me, valid) },
  );
  route(app, previewIconCall, ({ me, input }) => previewIcon(ctx, me.memberId, input.icon));
  ctx.eventBus.subscribe("member_ended", ({ memberId }) => evictProfileText(memberId));
  ctx.personalDataExports.add((tx, me) => exportProfile(tx, ctx, me));
}
