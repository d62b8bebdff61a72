import { useLocation } from "react-router";
import type { LoginState } from "../../lib/first-paint/start-view.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";

/** The account that this visitor has just created or reset. A built page knows none. */
export function useLoginState(): LoginState | null {
  const isHydrated = useIsHydrated();
  const state = useLocation().state as Partial<LoginState> | null;
  return isHydrated && state?.userId !== undefined ? (state as LoginState) : null;
}
