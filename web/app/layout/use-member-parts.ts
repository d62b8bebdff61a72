import type * as MemberPartsModule from "./member-parts.tsx";
import { useIsLoggedIn } from "../lib/session/session.ts";
import { useLoaded, whenNeeded } from "../ui/on-demand/when-needed.ts";

const memberParts = whenNeeded<typeof MemberPartsModule>(() => import("./member-parts.tsx"));

/** Loads the parts of the layout that only members need. Null for a visitor, and until it is loaded. */
export function useMemberParts(): typeof MemberPartsModule | null {
  const isLoggedIn = useIsLoggedIn() === true;
  const parts = useLoaded(memberParts, isLoggedIn);
  return isLoggedIn ? parts : null;
}
