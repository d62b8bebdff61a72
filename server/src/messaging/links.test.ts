import { expect, test } from "vitest";
import { findLinks } from "./links.ts";

test.each([
  ["look at https://example.com/a/b?c=1#d", ["example.com/a"]],
  ["HTTP://WWW.Example.COM.", ["example.com"]],
  ["example.com", ["example.com"]],
  ["(example.com/page)", ["example.com/page"]],
  ["ｅｘａｍｐｌｅ．ｃｏｍ", ["example.com"]],
  ["example。com", ["example.com"]],
  ["example｡com/x", ["example.com/x"]],
  ["ex\u200Bample\u00AD.com", ["example.com"]],
  ["hxxp://example.com", ["example.com"]],
  ["hxxps://example[.]com", ["example.com"]],
  ["h**ps://example.com", ["example.com"]],
  ["http:\\\\example.com", ["example.com"]],
  ["example (dot) com", ["example.com"]],
  ["example dot com", ["example.com"]],
  ["example[点]com", ["example.com"]],
  ["連絡先はexample.comです", ["example.com"]],
  ["加我 t.me/abc", ["t.me/abc"]],
  ["line.me/ti/p/xyz", ["line.me/ti"]],
  ["bücher.de と xn--bcher-kva.de", ["xn--bcher-kva.de"]],
  ["例え.jp", ["xn--r8jz45g.jp"]],
  ["我的网站.中国", ["xn--wnu286bc9czuf.xn--fiqs8s"]],
  ["http://127.1/x", ["127.0.0.1/x"]],
  ["https://user:pass@example.com:8443/x", ["example.com/x"]],
  ["write to me@example.com", ["example.com"]],
  ["ехаmple.com", ["xn--mple-43d3a6i.com"]],
  ["a.example.com b.example.com", ["a.example.com", "b.example.com"]],
])("finds the links in %j", (text, links) => {
  expect(findLinks(text)).toEqual(links);
});

test.each([
  "Good evening.How are you?",
  "I like tea...and you? 3.5 km, 18.30, v1.2.3",
  "Dinner at 7.It would be nice.So what do you think",
  "今日はいい天気ですね。散歩しましょう。OKです。",
  "你好。最近怎么样？我在。中国很大。",
  "e.g. the U.S.A. or p.m.",
  "call me. or not",
  "http is a protocol, https: too",
  "file.txt and photo.jpeg",
  "@hanako_1983 on the app with the camera",
])("finds no link in %j", (text) => {
  expect(findLinks(text)).toEqual([]);
});

test("reads the longest message quickly when its text repeats parts of links", () => {
  const runs = [
    "a.",
    "a.a-",
    "https://",
    "www.",
    "ｈ．",
    "[.]",
    " dot ",
    "a".repeat(62) + ".",
    "。a",
    "h t t p ",
  ];

  for (const run of runs) {
    const text = run.repeat(2_000).slice(0, 2_000);
    const began = process.cpuUsage();
    findLinks(text);
    expect([run, process.cpuUsage(began).user < 250_000]).toEqual([run, true]);
  }
});
