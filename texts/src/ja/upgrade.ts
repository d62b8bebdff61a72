import type { Texts } from "../language.ts";

export const upgrade: Texts["upgrade"] = {
  text: "本日のカードは使い終わりました。明日また届きます。有料会員は1日50人までいいねできます。",
  seePlans: "プランを見る",
  notNow: "あとで",
};
