import type { Texts } from "../language.ts";

export const cover: Texts["cover"] = {
  title: "便笺",
  note1: "面包、柠檬、橄榄油",
  day1: "今天",
  note2: "周五前给水管工打电话",
  day2: "昨天",
  note3: "图书馆的书28日到期",
  day3: "星期一",
  back: "返回",
};
