import { fileURLToPath } from "node:url";
import { type ESTree, parseSync, type Plugin, Visitor } from "vite";

const HANDLE_MISSING_FILE = fileURLToPath(new URL("app/lib/api/missing-file.ts", import.meta.url));
const PART =
  /\/react-router\/dist\/production\/lib\/(router\/instrumentation|dom\/ssr\/(?:fog-of-war|single-fetch|errorBoundaries|routeModules))\.js$/;

/**
 * Without a server for rendering, React Router calls only these functions, and only for these results. Each route that has
 * a loader has a `clientLoader` too, and none asks a server.
 */
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
  // The data of a built page are objects of constants (`vendor/turbo-stream-v2/unflatten.js`).
  "dom/ssr/single-fetch": `
    export const decodeViaTurboStream = async (stream) => {
      const values = await new Response(stream).json();
      const read = (at) => {
        if (at === -5) return null;
        if (at === -7) return undefined;
        const value = values[at];
        if (value === undefined || Array.isArray(value)) throw new Error("unexpected data in a built page");
        if (typeof value !== "object") return value;
        return Object.fromEntries(Object.entries(value).map(([key, of]) => [values[key.slice(1)], read(of)]));
      };
      return { value: read(0) };
    };
    const runHandlers = async ({ matches }) => {
      const called = matches.filter((match) => match.shouldCallHandler());
      const run = async (match) => [match.route.id, await match.resolve((handler) => handler())];
      return Object.fromEntries(await Promise.all(called.map(run)));
    };
    export const getTurboStreamSingleFetchDataStrategy = () => (args) => args.runClientMiddleware(() => runHandlers(args));
    export const singleFetchUrl = undefined;
    export const SingleFetchRedirectSymbol = undefined;
    export const StreamTransfer = undefined;
    export const stripIndexParam = undefined;
    export const getSingleFetchDataStrategyImpl = undefined;
    export const NO_BODY_STATUS_CODES = undefined;`,
  // React Router would reload for ever where the worker opens a page without a connection.
  "dom/ssr/routeModules": `
    import { handleMissingFile } from ${JSON.stringify(HANDLE_MISSING_FILE)};
    export const loadRouteModule = async ({ id, module }, loaded) =>
      (loaded[id] ??= await import(/* @vite-ignore */ module).catch(handleMissingFile));`,
  // `root.tsx` has its own boundary. This one would show an error of that boundary.
  "dom/ssr/errorBoundaries": `
    import { Component, createElement } from "react";
    export class RemixErrorBoundary extends Component {
      state = {};
      static getDerivedStateFromError(error) {
        return { error };
      }
      render() {
        const { error } = this.state;
        return error ? createElement("html", null, createElement("body", null, String(error))) : this.props.children;
      }
    }
    export const RemixRootDefaultErrorBoundary = () => null;
    export const BoundaryShell = () => null;`,
};

const ROUTER = /\/react-router\/dist\/production\/lib\/.*\.js$/;
/** They print advice to developers and have no other effect. */
const ADVICE = new Set(["warning", "warnOnce", "warningOnce"]);

/** Removes parts of React Router that the app cannot use. A new import of a removed part fails the build. */
export function trimRouter(): Plugin {
  return {
    name: "trim-router",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load: {
      filter: { id: PART },
      handler: (id) => REPLACEMENTS[PART.exec(id)?.[1] ?? ""],
    },
    transform: {
      filter: { id: ROUTER },
      handler: (code, id) => ({ code: trim(code, id), map: null }),
    },
  };
}

/** Removes advice, the texts of assertions, and the ways of a page with server components. */
function trim(code: string, id: string): string {
  const changes: { start: number; end: number; by: string }[] = [];
  new Visitor({
    ExpressionStatement({ start, end, expression }) {
      if (ADVICE.has(calledName(expression))) changes.push({ start, end, by: ";" });
    },
    CallExpression(call) {
      const [condition, text] = call.arguments;
      if (calledName(call) === "invariant" && condition && text)
        changes.push({ start: condition.end, end: text.end, by: "" });
      if (calledName(call) === "useIsRSCRouterContext")
        changes.push({ start: call.start, end: call.end, by: "false" });
    },
  }).visit(parseSync(id, code).program);
  return changes
    .filter(({ start, end }) => !changes.some((outer) => outer.start < start && end < outer.end))
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);
}

function calledName(expression: ESTree.Expression): string {
  if (expression.type !== "CallExpression") return "";
  const { callee } = expression;
  return callee.type === "Identifier" ? callee.name : "";
}
