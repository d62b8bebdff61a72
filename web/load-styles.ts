import type { Plugin } from "vite";

/** Loads code after its style sheets. Vite's helper is three times as long, for scripts and browsers that the app has not. */
const HELPER = `
  const sheets = {};
  const load = (file) => sheets[file] ??= new Promise((resolve, reject) => {
    const href = "/" + file;
    // React Router appends a hash sign, and the server switches off the link of styles that it wrote into the page.
    if (document.querySelector('link[rel=stylesheet][href^="' + href + '"]')) return resolve();
    const fail = () => {
      delete sheets[file];
      link.remove();
      reject(new Error("no style sheet"));
    };
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: fail });
    document.head.append(link);
  });
  export const __vitePreload = async (code, files = []) => {
    await Promise.all(files.map(load));
    return code();
  };`;

export function loadStyles(): Plugin {
  return {
    name: "load-styles",
    enforce: "pre",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    load: {
      // oxlint-disable-next-line no-control-regex -- marks a module of the bundler
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => HELPER,
    },
  };
}
