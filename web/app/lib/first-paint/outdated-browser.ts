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

/**
 * In a browser below the supported ones, shows a notice above the page as it was built, and runs no other script. It
 * has the syntax of 2009, so that each browser reads it.
 */
export const outdatedBrowserScript = (browserslist: readonly string[]) => `(function () {
  function hasLookbehind() {
    try {
      return new RegExp("(?<=a)b").test("ab");
    } catch (error) {
      return false;
    }
  }
  var isSupported =
    Array.prototype.at && Array.prototype.findLast && String.prototype.replaceAll && Object.hasOwn &&
    window.Promise && Promise.allSettled && Promise.any && window.structuredClone && window.ResizeObserver &&
    window.AbortSignal && AbortSignal.timeout && "inert" in HTMLElement.prototype && hasLookbehind() &&
    (!window.isSecureContext || (navigator.locks && window.crypto && crypto.randomUUID));
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
