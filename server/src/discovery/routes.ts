import { saveLocation } from "@alcove/contract/discovery";
import { mount, type App } from "../platform/mount.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { relist } from "./listing.ts";
import * as position from "./position.ts";

/** Mounts positions, candidates, likes and passes, and follows what happens to members. */
export function discoveryRoutes(app: App): void {
  const { deps } = app;
  mount(app, saveLocation, async ({ me, input }) => {
    await position.saveLocation(deps, me, input.location);
    return { user: await presentOwnUser(deps, me.no) };
  });

  deps.consequences.when("filter_saved", (tx, { no }) => relist(tx, deps, no));
}
