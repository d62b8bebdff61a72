import { expect, test } from "vitest";
import { allTranslations } from "@alcove/i18n/all";
import { openersOf } from "./openers.ts";

const nothing = { description: "", hobby: null, purpose: null };
const keysOf = (...input: Parameters<typeof openersOf>) => openersOf(...input).map(({ key }) => key);

test.each([
  [{ hobby: "long walks, cafés", purpose: "company for coffee" }, ["walking", "coffee"]],
  [{ hobby: "cooking", purpose: "to be asked how my day was" }, ["cooking", "day"]],
  [{ hobby: "gardening, tomatoes above all", purpose: "an unhurried friendship" }, ["garden", "evening"]],
  [{ hobby: "baking bread", purpose: "somebody gentle to write to" }, ["baking", "letters"]],
  [{ hobby: "choir, old songs" }, ["singing", "music"]],
  [{ hobby: "Ceramics, film photography", purpose: "Someone to talk to" }, ["making", "talking"]],
  [{ hobby: "board games" }, ["games"]],
  [{ hobby: "trains", purpose: "a voice at the end of the day" }, ["travel", "day"]],
  [{ hobby: "喫茶店めぐり", purpose: "まずはゆっくりお話を" }, ["coffee", "evening"]],
  [{ hobby: "料理、器集め", purpose: "ときどき一緒に食事を" }, ["cooking", "eating"]],
  [{ hobby: "温泉", purpose: "何でも話せる相手" }, ["baths", "talking"]],
  [{ hobby: "深夜ラジオ、万年筆", purpose: "手紙のようなやりとり" }, ["radio", "letters"]],
  [{ hobby: "编织", purpose: "饭搭子" }, ["making", "eating"]],
  [{ hobby: "胶片摄影", purpose: "知心人" }, ["photographs", "talking"]],
  [{ hobby: "養花、散步", purpose: "細水長流" }, ["garden", "evening"]],
  [{ hobby: "騎單車", purpose: "一起慢慢走的人" }, ["cycling", "walking"]],
])("asks about a person's hobby and hopes: %j", (person, expected) => {
  expect(keysOf({ ...nothing, ...person }, "en")).toEqual(expected);
});

test("asks about the introduction where hobby and hopes have less than two topics", () => {
  const description = "Hello, and thank you for stopping here. In the evening I bake bread for the house.";

  expect(keysOf({ ...nothing, description }, "ja")).toEqual(["baking", "bakery"]);
});

test.each([
  ["en", "Beekeeping", "beekeeping", "How did you come to beekeeping?"],
  ["en", "Japanese calligraphy", "Japanese calligraphy", "How did you come to Japanese calligraphy?"],
  ["en", "LARP, and more", "LARP", "How did you come to LARP?"],
  ["ja", "盆栽（小さいもの）と香り", "盆栽", "盆栽を始めたきっかけは、何ですか？"],
  ["zh-hans", "养蜂，偶尔", "养蜂", "是怎么喜欢上养蜂的？"],
  ["zh-hant", "養蜂、偶爾", "養蜂", "是怎麼喜歡上養蜂的？"],
] as const)("asks in %s how a person came to another hobby: %s", (language, hobby, named, question) => {
  const description = language === "ja" ? "小さな庭があります。" : "";
  expect(openersOf({ ...nothing, hobby, description }, language)).toEqual([{ key: "hobby", hobby: named }]);
  const { openers } = allTranslations[language];
  expect(openers.hobby.replace("{hobby}", named)).toBe(question);
});

test.each([
  [nothing, "en"],
  [
    { ...nothing, description: "Hello, and thank you for stopping here. I never know how to begin these." },
    "en",
  ],
  [{ ...nothing, description: "はじめまして。ご覧いただきありがとうございます。" }, "ja"],
  [{ ...nothing, description: "你好，谢谢你停下来看看。" }, "zh-hans"],
  [{ ...nothing, hobby: "盆栽", description: "小さな庭があります。" }, "en"],
  [{ ...nothing, hobby: "!!!" }, "en"],
] as const)("asks nothing without a topic: %j", (person, language) => {
  expect(openersOf(person, language)).toEqual([]);
});

test("has only questions, in each language", () => {
  for (const { openers } of Object.values(allTranslations))
    for (const question of Object.values(openers)) expect(question).toMatch(/[?？]$/);
});
