import { isBuiltPageWaiting } from "../first-paint/built-page.ts";
import { OfflineError } from "./errors.ts";

const JUST_RELOADED_MS = 10_000;

/**
 * Handles a failed download of a screen's code. A new version of the app has other files, which a reload finds. So does a
 * browser that keeps the failure. A built page stays as it is, with its input.
 *
 * @throws OfflineError without a connection
 */
export async function handleMissingFile(cause: unknown): Promise<never> {
  if (isBuiltPageWaiting()) throw cause;
  if (!(await isServerReachable()))
    throw new OfflineError("the code of a screen could not be loaded", { cause });
  if (wasJustReloaded()) throw cause;
  location.reload();
  return new Promise(() => {});
}

async function isServerReachable(): Promise<boolean> {
  const response = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  return response?.ok === true;
}

function wasJustReloaded(): boolean {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return load?.type === "reload" && performance.now() < JUST_RELOADED_MS;
}
