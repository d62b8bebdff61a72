import { useEffect, useState, type ReactNode } from "react";
import { useRevalidator } from "react-router";
import { useLock } from "../../lib/session/lock.ts";
import { LoadingStatus } from "../../ui/loading.tsx";
import { resetNavigationFocus } from "../shell/focus-on-navigation.tsx";
import { Shell } from "../shell/shell.tsx";
import { LockScreen } from "./lock-screen.tsx";

/** Replaces the app by the lock screen while it is locked, then reloads the data. */
export function LockGate({ children }: { children: ReactNode }) {
  const { isLocked } = useLock();
  const { revalidate } = useRevalidator();
  const [isStale, setStale] = useState(isLocked);
  if (isLocked && !isStale) setStale(true);
  useEffect(() => {
    if (isLocked) resetNavigationFocus();
    else if (isStale) void revalidate().then(() => setStale(false));
  }, [isLocked, isStale, revalidate]);
  if (!isStale) return children;
  if (isLocked) return <LockScreen />;
  return (
    <Shell width="form">
      <LoadingStatus />
    </Shell>
  );
}
