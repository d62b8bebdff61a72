import { useEffect, useState } from "react";
import type * as MemberPartsModule from "./member-parts.tsx";

type MemberParts = typeof MemberPartsModule;

const RETRY_MS = 5_000;

/** Loads the parts of the layout that only members need. Null for a visitor, and until it is loaded. */
export function useMemberParts(isLoggedIn: boolean): MemberParts | null {
  const [parts, setParts] = useState<MemberParts | null>(null);
  const isNeeded = isLoggedIn && !parts;
  useEffect(() => {
    if (!isNeeded) return undefined;
    let timer: number | undefined;
    let isMounted = true;
    const load = () =>
      import("./member-parts.tsx").then(
        (loaded) => isMounted && setParts(loaded),
        () => isMounted && (timer = window.setTimeout(() => void load(), RETRY_MS)),
      );
    void load();
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [isNeeded]);
  return isLoggedIn ? parts : null;
}
