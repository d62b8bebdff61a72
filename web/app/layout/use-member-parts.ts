import type * as MemberPartsModule from "./member-parts.tsx";
import { isForPurchases, useIsLoggedIn } from "../lib/session/session.ts";
import { useLoaded, whenNeeded } from "../ui/on-demand/when-needed.ts";

const memberParts = whenNeeded<typeof MemberPartsModule>(() => import("./member-parts.tsx"));

/** Loads the parts of the layout that only members need. Null for a visitor, for a login that may only buy, and until it is loaded. */
export function useMemberParts(): typeof MemberPartsModule | null {
  const isNeeded = useIsLoggedIn() === true && !isForPurchases();
  const parts = useLoaded(memberParts, isNeeded);
  return isNeeded ? parts : null;
}
