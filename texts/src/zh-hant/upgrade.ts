import type { Texts } from "../language.ts";

export const upgrade: Texts["upgrade"] = {
  text: "今天的卡片已用完，明天會有新的。付費會員每天可喜歡 50 人。",
  seePlans: "查看方案",
  notNow: "暫不",
};
