import type { Texts } from "../language.ts";

export const pricing: Texts["pricing"] = {
  title: "價格",
  lead: "單一價格。年數和月數任您選擇。",
  period: "期限",
  month: "月",
  year: "年",
  free: "免費會員",
  freeCards: "每天 1 張卡片",
  paid: "付費會員",
  paidLikes: "每天 50 次喜歡",
  createAccount: "建立帳號",
  upgrade: "升級帳號",
};
