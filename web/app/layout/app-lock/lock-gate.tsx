import { useEffect, useState, type ReactNode } from "react";
import { useRevalidator } from "react-router";
import { lock, useLock } from "../../lib/session/lock.ts";
import { LoadingStatus } from "../../ui/loading.tsx";
import { useLazyModule, lazyModule } from "../../ui/on-demand/on-demand.tsx";
import { Plain } from "../plain/plain.tsx";
import { resetNavigationFocus } from "../shell/focus-on-navigation.tsx";
import { Shell } from "../shell/shell.tsx";

const lockScreen = lazyModule(() => import("./lock-screen.tsx"));

/** Before hydration, so that a locked page shows its screen at once. */
export async function prepareLockScreen(): Promise<void> {
  if (lock.getState().isSet) await lockScreen.load();
}

/** Replaces the app by the lock screen while it is locked, then reloads the data. A PIN loads the screen. */
export function LockGate({ children }: { children: ReactNode }) {
  const { isSet, isLocked } = useLock();
  const loaded = useLazyModule(lockScreen, isSet);
  const { revalidate } = useRevalidator();
  const [isStale, setStale] = useState(isLocked);
  if (isLocked && !isStale) setStale(true);
  useEffect(() => {
    if (isLocked) resetNavigationFocus();
    else if (isStale) void revalidate().then(() => setStale(false));
  }, [isLocked, isStale, revalidate]);
  if (!isStale) return children;
  if (isLocked) return loaded ? <loaded.LockScreen /> : <Plain>{null}</Plain>;
  return (
    <Shell width="form">
      <LoadingStatus />
    </Shell>
  );
}
