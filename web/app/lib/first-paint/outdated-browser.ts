import { allTranslations } from "@alcove/i18n/all";

const NAMES: Record<string, string> = {
  chrome: "Chrome",
  edge: "Edge",
  firefox: "Firefox",
  safari: "Safari",
};

/** `Chrome 109, Edge 109, …`; iOS has the versions of Safari. */
const namesOf = (browserslist: readonly string[]): string =>
  browserslist
    .map((entry) => entry.split(" "))
    .filter(([name = ""]) => name in NAMES)
    .map(([name = "", version]) => `${NAMES[name]} ${version}`)
    .join(", ");

function textsFor(browserslist: readonly string[]): Record<string, string> {
  const texts = Object.entries(allTranslations).map(([language, { shell }]) => [
    language,
    shell.outdatedBrowser.replace("{browsers}", namesOf(browserslist)),
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** The oldest supported browsers have these. Each of their earlier versions lacks one. */
export const NEEDED = {
  all: [
    "Array.prototype.at",
    "Array.prototype.findLast",
    "String.prototype.replaceAll",
    "Object.hasOwn",
    "Promise.allSettled",
    "Promise.any",
    "structuredClone",
    "ResizeObserver",
    "AbortSignal.timeout",
    "HTMLElement.prototype.inert",
  ],
  secure: ["navigator.locks", "crypto.randomUUID"],
  // By `navigator.vendor`. Safari's protected mode has no MathML, and Chrome 109 no `toSorted`.
  chrome: ["MathMLElement"],
  firefox: ["Array.prototype.toSorted"],
  // And regular expressions that look behind.
  safari: [],
} satisfies Record<string, readonly string[]>;

/**
 * In a browser below the supported ones, shows a notice above the page as it was built, and runs no other script. It
 * has the syntax of 2009, so that each browser reads it.
 */
export const outdatedBrowserScript = (browserslist: readonly string[]) => `(function () {
  var needed = ${JSON.stringify(NEEDED)};
  function has(path) {
    var names = path.split(".");
    var owner = window;
    for (var at = 0; at < names.length - 1; at++) {
      owner = owner[names[at]];
      if (!owner) return false;
    }
    return names[names.length - 1] in owner;
  }
  function hasAll(paths) {
    for (var at = 0; at < paths.length; at++) if (!has(paths[at])) return false;
    return true;
  }
  function hasLookbehind() {
    try {
      return new RegExp("(?<=a)b").test("ab");
    } catch (error) {
      return false;
    }
  }
  var isSupported =
    hasAll(needed.all) && hasLookbehind() && (!window.isSecureContext || hasAll(needed.secure)) &&
    (navigator.vendor !== "Google Inc." || hasAll(needed.chrome)) &&
    (navigator.vendor !== "" || hasAll(needed.firefox));
  if (isSupported) return;
  var noScripts = document.createElement("meta");
  noScripts.httpEquiv = "Content-Security-Policy";
  noScripts.content = "script-src 'none'";
  document.head.appendChild(noScripts);
  document.addEventListener("DOMContentLoaded", function () {
    var texts = ${JSON.stringify(textsFor(browserslist))};
    var notice = document.createElement("p");
    notice.setAttribute("role", "alert");
    notice.textContent = texts[location.pathname.toLowerCase().split("/")[1]] || texts.en;
    notice.style.cssText = "margin:0;padding:16px;font-size:16px;line-height:1.5;background:#fff3d6;color:#3a2a00";
    document.body.insertBefore(notice, document.body.firstChild);
  });
})();`;
