/**
 * Reads a message in ICU format: the names of its arguments and tags, and the plain words of all branches.
 *
 * @param {string} message
 * @returns {{ names: string[], words: string }}
 */
export function parseIcuMessage(message) {
  /** @type {Set<string>} */
  const names = new Set();
  let words = "";
  let at = 0;

  /** @param {RegExp} pattern */
  function take(pattern) {
    const sticky = new RegExp(pattern, "y");
    sticky.lastIndex = at;
    const [found = ""] = sticky.exec(message) ?? [];
    at += found.length;
    return found;
  }

  function readText() {
    while (at < message.length && message[at] !== "}") {
      if (take(/''/)) words += "'";
      else if (message[at] === "{") readArgument();
      else if (/^'[{}<>]/.test(message.slice(at, at + 2))) words += take(/'[^']*'?/).slice(1, -1);
      else readTagOrSign();
    }
  }

  function readTagOrSign() {
    const tag = take(/<\/?\w+\/?>/);
    if (tag) names.add(`<${tag.replaceAll(/\W/g, "")}>`);
    else words += message[at++];
  }

  function readArgument() {
    take(/\{\s*/);
    names.add(take(/\w+/));
    const kind = take(/\s*,\s*\w+/).replaceAll(/\W/g, "");
    words += " ";
    if (["plural", "select", "selectordinal"].includes(kind)) {
      take(/\s*,\s*(?:offset:\d+)?/);
      while (take(/\s*[=\w]+\s*\{/)) {
        readText();
        take(/\}/);
        words += " ";
      }
      take(/\s*/);
    } else {
      take(/[^{}]*/);
    }
    if (!take(/\}/)) throw new Error(`not an ICU message: ${message}`);
  }

  readText();
  if (at < message.length) throw new Error(`not an ICU message: ${message}`);
  return { names: [...names].toSorted(), words };
}
