import type { HydrationState } from "react-router";
import { isHydrated } from "./pre-hydration-queue.ts";

/** The element that React renders the app into. */
export const APP_ID = "app";
/** The element with the loaders' data of a built page. */
export const DATA_ID = "built-data";

/** Returns the data that the page was built with. Null for a page without content. */
export function builtData(): NonNullable<HydrationState["loaderData"]> | null {
  const text = document.getElementById(DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as NonNullable<HydrationState["loaderData"]>) : null;
}

/** Whether the page has content that the app has not hydrated yet. */
export const isBuiltPageWaiting = () => !isHydrated() && builtData() !== null;

/** Paths of built files. */
interface AppScripts {
  readonly entry: string;
  readonly scripts: Iterable<string>;
  readonly memberScripts: Iterable<string>;
}

/**
 * Loads and starts the app after the first paint, which it would delay on a slow processor. A hidden page is not painted,
 * nor is the bot check in its hidden frame.
 * A member's page shows nothing of use before the app runs, so it loads beside the style sheet, with its
 * `memberScripts`. `scripts` are those that the entry needs first.
 */
export const startAppScript = ({ entry, scripts, memberScripts }: AppScripts) =>
  `{
  const isMember = "member" in document.documentElement.dataset;
  const load = () => {
    for (const href of [...${JSON.stringify([...scripts])}, ...(isMember ? ${JSON.stringify([...memberScripts])} : [])]) {
      const link = { rel: "modulepreload", href, fetchPriority: "low" };
      document.head.append(Object.assign(document.createElement("link"), link));
    }
  };
  const start = () => {
    load();
    // Each runs in a task of its own, so that a slow processor stays responsive. The entry's failure is the one to report.
    for (const each of ${JSON.stringify([...scripts])}) import(each).catch(() => undefined);
    import("${entry}");
  };
  if (isMember) load();
  addEventListener("DOMContentLoaded", () => {
    if (document.visibilityState === "hidden" || parent !== window) start();
    else requestAnimationFrame(() => setTimeout(start));
  });
}`;
