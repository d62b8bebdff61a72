import type { Texts } from "../language.ts";

export const pricing: Texts["pricing"] = {
  title: "料金",
  lead: "料金はひとつ。年数と月数を自由に選べます。",
  period: "期間",
  month: "1か月",
  year: "1年",
  free: "無料会員",
  freeCards: "1日1枚のカード",
  paid: "有料会員",
  paidLikes: "1日50回のいいね",
  createAccount: "アカウントを作成",
  upgrade: "アップグレードする",
};
