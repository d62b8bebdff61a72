import { handleMissingFile } from "./missing-file.ts";

interface RouteFile {
  readonly id: string;
  readonly module: string;
}

/**
 * Replaces React Router's function of this name (`vite.config.ts`), which reloads the page when a screen's code is missing. Without
 * a connection that would lose unsent texts, and would never end where the worker opens the page.
 *
 * @throws MissingFileError without a connection
 */
export async function loadRouteModule(
  { id, module }: RouteFile,
  loaded: Record<string, unknown>,
): Promise<unknown> {
  loaded[id] ??= await import(/* @vite-ignore */ module).catch(handleMissingFile);
  return loaded[id];
}
