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

/** Starts the app after the first paint, which it would delay on a slow processor. A hidden page is not painted. */
export const startAppScript = (entry: string) =>
  `const start = () => import("${entry}");
if (document.visibilityState === "hidden") start();
else requestAnimationFrame(() => setTimeout(start));`;
