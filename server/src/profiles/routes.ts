import { previewIcon as previewIconCall, saveFilter, saveProfile } from "@alcove/contract/profiles";
import { previewIcon } from "../media/index.ts";
import { mount, type App } from "../platform/mount.ts";
import { changeProfile } from "./changes.ts";
import * as filter from "./filter.ts";
import { exportProfile, presentOwnUser } from "./present.ts";

/** Mounts the calls of a member's own profile. */
export function profileRoutes(app: App): void {
  mount(app, saveFilter, async ({ me, input }) => {
    await filter.saveFilter(app.deps, me, input);
    return { user: await presentOwnUser(app.deps, me) };
  });
  mount(app, saveProfile, async ({ me, input }) => {
    await changeProfile(app.deps, me, input);
    return { user: await presentOwnUser(app.deps, me) };
  });
  mount(app, previewIconCall, ({ me, input }) => previewIcon(app.deps, me.no, input.icon));
  app.deps.exports.add((tx, me) => exportProfile(tx, app.deps, me));
}
