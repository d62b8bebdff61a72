import type { ComponentType } from "react";
import type { ActionFunction, LoaderFunction, RouteObject } from "react-router";
import { loadFile } from "./lib/api/load-file.ts";
import { isBuiltPageWaiting } from "./lib/first-paint/built-page.ts";

type Part = Pick<RouteObject, "loader" | "action" | "shouldRevalidate">;
type Screen = Part & { default: ComponentType };
type LoadScreen = () => Promise<Screen>;

/** Returns a route's `lazy`: the code of a screen loads when it first opens. */
export function screen(load: LoadScreen): () => Promise<Part & { Component: ComponentType }> {
  return async () => {
    try {
      const { default: Component, ...route } = await load();
      return { ...route, Component };
    } catch (cause) {
      if (isBuiltPageWaiting()) throw cause;
      return loadedByLoader(load);
    }
  };
}

/** React Router keeps the failure of `lazy` for good, but runs a failed loader again. So the loader also loads the code. */
function loadedByLoader(load: LoadScreen): Part & { Component: ComponentType } {
  let loaded: Screen | null = null;
  const loader: LoaderFunction = async (args, context) => {
    loaded ??= await loadFile(load);
    return typeof loaded.loader === "function" ? loaded.loader(args, context) : null;
  };
  return {
    loader,
    // Only a shown screen has a form.
    action: (args, context) => (loaded!.action as ActionFunction)(args, context),
    shouldRevalidate: (args) => loaded?.shouldRevalidate?.(args) ?? args.defaultShouldRevalidate,
    Component() {
      const { default: Screen } = loaded!;
      return <Screen />;
    },
  };
}
