import type { Texts } from "../language.ts";

export const matched: Texts["matched"] = {
  title: "配对成功",
  text: "您与 {name} 彼此喜欢。得空时，打个招呼吧。",
  write: "发送消息",
  keepLooking: "继续看看",
};
