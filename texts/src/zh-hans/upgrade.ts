import type { Texts } from "../language.ts";

export const upgrade: Texts["upgrade"] = {
  text: "今天的卡片已用完，明天会有新的。付费会员每天可喜欢 50 人。",
  seePlans: "查看方案",
  notNow: "暂不",
};
