import type * as MemberOverlaysModule from "./member-overlays.tsx";
import { isForCase, isForPurchases, useIsLoggedIn } from "../lib/session/session.ts";
import { useLazyModule, lazyModule } from "../ui/on-demand/on-demand.tsx";

const memberOverlays = lazyModule<typeof MemberOverlaysModule>(() => import("./member-overlays.tsx"));

/** Loads the parts of the layout that only members need. Null for a visitor, for a login of few calls, and until it is loaded. */
export function useMemberOverlays(): typeof MemberOverlaysModule | null {
  const isNeeded = useIsLoggedIn() === true && !isForPurchases() && !isForCase();
  const parts = useLazyModule(memberOverlays, isNeeded);
  return isNeeded ? parts : null;
}
