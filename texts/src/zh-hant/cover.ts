import type { Texts } from "../language.ts";

export const cover: Texts["cover"] = {
  title: "便箋",
  note1: "麵包、檸檬、橄欖油",
  day1: "今天",
  note2: "週五前打電話給水電師傅",
  day2: "昨天",
  note3: "圖書館的書28日到期",
  day3: "星期一",
  back: "返回",
};
