import compile from "icu-minify/compile";
import type { Plugin } from "vite";
import { selectPart } from "./app/lib/texts/text-parts.ts";

const PART = /\/i18n\/locales\/[\w-]+\.json\?part=(\w+)$/;

/** Splits the texts of a language (`app/lib/texts/text-parts.ts`) and parses their messages, so that pages carry no parser. */
export function splitTexts(): Plugin {
  return {
    name: "split-texts",
    enforce: "pre",
    transform: {
      filter: { id: PART },
      handler(code, id) {
        const [, part = ""] = PART.exec(id) ?? [];
        const texts = selectPart(JSON.parse(code) as Record<string, Record<string, string>>, part);
        const compiled = Object.entries(texts).map(([namespace, messages]) => [
          namespace,
          Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, compile(message)])),
        ]);
        return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, moduleType: "js" };
      },
    },
  };
}
