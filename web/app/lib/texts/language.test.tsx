import { expect, test } from "vitest";
import { rememberLanguage } from "./language.ts";

const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };

test("sends the language cookie over https only when the page came over https", () => {
  happyDOM.setURL("https://alcove.example/en");
  rememberLanguage("ja");
  expect(document.cookie).toBe("language=ja");

  happyDOM.setURL("http://alcove.example/en");
  expect(document.cookie).toBe("");
});
