import type { Texts } from "../language.ts";

export const pricing: Texts["pricing"] = {
  title: "价格",
  lead: "一口价。年数和月数任您选择。",
  period: "期限",
  month: "月",
  year: "年",
  free: "免费会员",
  freeCards: "每天 1 张卡片",
  paid: "付费会员",
  paidLikes: "每天 50 次喜欢",
  createAccount: "创建账号",
  upgrade: "升级账号",
};
