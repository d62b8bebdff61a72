import type { Plugin } from "vite";

const PART = /\/react-router\/dist\/production\/lib\/(router\/instrumentation|dom\/ssr\/fog-of-war)\.js$/;

/** Without a server for rendering, React Router calls only these functions, and only for these results. */
const REPLACEMENTS: Record<string, string> = {
  "router/instrumentation": `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    export const instrumentHandler = (handler) => handler;
    export const instrumentationResultMetaContext = undefined;`,
  "dom/ssr/fog-of-war": `
    export const isFogOfWarEnabled = () => false;
    export const getPartialManifest = (manifest) => manifest;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const useFogOFWarDiscovery = () => {};
    export const handleClientVersionMismatch = async () => false;
    export const getPathsWithAncestors = () => [];
    export const getManifestPath = () => "";
    export const URL_LIMIT = 0;`,
};

/** Removes two parts of React Router that the app cannot use. A new import of them fails the build. */
export function trimRouter(): Plugin {
  return {
    name: "trim-router",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load: {
      filter: { id: PART },
      handler: (id) => REPLACEMENTS[PART.exec(id)?.[1] ?? ""],
    },
  };
}
