import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { translations } from "../../testing/render.tsx";

test("has all characters of the first headings in the font that comes with the styles", () => {
  const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
  const face = /@font-face \{[^}]*"Marcellus Start"[^}]*\}/.exec(css)![0];
  const ranges = [...face.matchAll(/U\+([0-9A-F]{4})(?:-([0-9A-F]{4}))?/g)].map(([, from = "", to = from]) =>
    [from, to].map((code) => Number.parseInt(code, 16)),
  );
  const { pitch, welcomeBack } = translations.login;
  const letters = new Set(pitch.replaceAll(/<[^>]*>/g, "") + welcomeBack);

  const missing = [...letters].filter((letter) => {
    const code = letter.codePointAt(0)!;
    return !ranges.some(([from, to]) => code >= from! && code <= to!);
  });
  expect(missing).toEqual([]);
});
