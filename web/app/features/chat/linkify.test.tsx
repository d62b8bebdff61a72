import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render } from "../../testing/render.tsx";
import { linkify } from "./linkify.tsx";

test.each([
  ["see (https://a.example/b).", "https://a.example/b"],
  [
    "https://en.wikipedia.org/wiki/Alcove_(architecture), yes",
    "https://en.wikipedia.org/wiki/Alcove_(architecture)",
  ],
  [
    "(https://en.wikipedia.org/wiki/Alcove_(architecture))",
    "https://en.wikipedia.org/wiki/Alcove_(architecture)",
  ],
  ["[https://a.example/?q[0]=1]", "https://a.example/?q[0]=1"],
  ["'https://a.example/Schindler's'", "https://a.example/Schindler's"],
  ["“https://a.example/b”", "https://a.example/b"],
  ["このhttps://a.example/menuを見て", "https://a.example/menu"],
  ["https://a.exampleです", "https://a.example"],
  ["https://a.example/を見て", "https://a.example/"],
  ["看https://a.example/b，好吗", "https://a.example/b"],
  ["看（https://a.example/b）", "https://a.example/b"],
  ["「https://a.example/b」", "https://a.example/b"],
  ["https://a.example/b「引用」", "https://a.example/b"],
  ["https://a.example/b（注）", "https://a.example/b"],
  ["https://a.example/b。", "https://a.example/b"],
  ["https://a.example/b！", "https://a.example/b"],
  ["https://a.example/b；另外", "https://a.example/b"],
  ["https://a.example/b\u3000次", "https://a.example/b"],
  ["https://ja.wikipedia.org/wiki/東京、行こう", "https://ja.wikipedia.org/wiki/東京"],
  ["https://a.example/?q=寿司&b=1", "https://a.example/?q=寿司&b=1"],
  ["https://日本語.jp/a です", "https://日本語.jp/a"],
  ["Https://A.example/b", "Https://A.example/b"],
  ["https://a.example/über", "https://a.example/über"],
])("the link in %s is %s", (text, url) => {
  render(<p>{linkify(text)}</p>);

  expect(screen.getByRole("link").textContent).toBe(url);
  expect(screen.getByText((_, element) => element?.tagName === "P").textContent).toBe(text);
});

test.each([
  "https://",
  "https://見て",
  "https://user:word@a.example/",
  "http://localhost/",
  "http://[::1]/",
  "https://a.example:99999/",
])("%s is no link", (text) => {
  render(<p>{linkify(text)}</p>);

  expect(screen.queryByRole("link")).toBeNull();
});
