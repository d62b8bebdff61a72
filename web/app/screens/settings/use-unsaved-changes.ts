import { useEffect, useEffectEvent } from "react";
import { useBlocker } from "react-router";

/** Blocks leaving the screen with unsaved changes; outside the app the browser asks. */
export function useUnsavedChanges(hasChanges: () => boolean) {
  const handleUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (hasChanges()) event.preventDefault();
  });
  useEffect(() => {
    const handle = (event: BeforeUnloadEvent) => handleUnload(event);
    addEventListener("beforeunload", handle);
    return () => removeEventListener("beforeunload", handle);
  }, []);
  return useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasChanges(),
  );
}
