import { previewIcon as previewIconCall, saveFilter, saveProfile } from "@alcove/contract/profiles";
import { previewIcon } from "../media/index.ts";
import { mount, type App } from "../platform/http/router.ts";
import { changeProfile, faultsOf as heightFaultsOf } from "./changes.ts";
import * as filter from "./filter.ts";
import { exportProfile, presentOwnUser } from "./present.ts";
import { forgetWritten } from "./profile-text.ts";

/** Mounts the calls of a member's own profile. */
export function profileRoutes(app: App): void {
  const { deps } = app;
  mount(
    app,
    saveFilter,
    async ({ me, input }) => {
      await filter.saveFilter(deps, me, input);
      return { user: await presentOwnUser(deps, me) };
    },
    { faultsBeside: ({ me, right }) => filter.faultsOf(deps, me, right) },
  );
  mount(
    app,
    saveProfile,
    async ({ me, input }) => {
      await changeProfile(deps, me, input);
      return { user: await presentOwnUser(deps, me) };
    },
    { faultsBeside: ({ me, right }) => heightFaultsOf(deps, me, right) },
  );
  mount(app, previewIconCall, ({ me, input }) => previewIcon(deps, me.no, input.icon));
  deps.live.on("member_ended", ({ no }) => forgetWritten(no));
  deps.exports.add((tx, me) => exportProfile(tx, deps, me));
}
