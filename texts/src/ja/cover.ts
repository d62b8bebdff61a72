import type { Texts } from "../language.ts";

export const cover: Texts["cover"] = {
  title: "メモ",
  note1: "パン、レモン、オリーブオイル",
  day1: "今日",
  note2: "金曜までに水道屋さんへ電話",
  day2: "昨日",
  note3: "図書館の本は28日まで",
  day3: "月曜日",
  back: "戻る",
};
