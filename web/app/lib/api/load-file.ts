import { isBuiltPageWaiting } from "../first-paint/built-page.ts";
import { OfflineError } from "./errors.ts";

const JUST_RELOADED_MS = 10_000;

/**
 * Downloads code or texts. After a failure, a reload finds the files of a new version of the app, and helps a browser that
 * keeps the failure. A built page stays as it is, with its input.
 *
 * @throws OfflineError without a connection
 */
export async function loadFile<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    if (isBuiltPageWaiting()) throw cause;
    if (!(await isServerReachable()))
      throw new OfflineError("the code of a screen could not be loaded", { cause });
    // The connection may have returned after the download failed.
    return load().catch(reload);
  }
}

async function reload(cause: unknown): Promise<never> {
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
