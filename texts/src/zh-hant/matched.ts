import type { Texts } from "../language.ts";

export const matched: Texts["matched"] = {
  title: "配對成功",
  text: "您與 {name} 彼此喜歡。得空時，打個招呼吧。",
  write: "傳送訊息",
  keepLooking: "繼續看看",
};
