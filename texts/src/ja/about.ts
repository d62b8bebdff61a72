import type { Texts } from "../language.ts";

export const about: Texts["about"] = {
  title: "どちらも既婚。どちらも慎重に。",
  lead: "{brand} は、既婚の大人がひとりの相手と丁寧に出会うための、静かな場所です。",
  married: "お互いに既婚です",
  marriedText: "互いの限りある時間や家庭を理解し、尊重できます。",
  paid: "有料会員制が荒らしや詐欺を防ぎます",
  paidText: "料金を払って参加する方は、言葉に責任を持つ傾向があります。",
  processed: "プロフィール写真を加工できます",
  processedText: "加工した写真は雰囲気を残しながら、特定される危険を減らします。",
  prices: "料金",
  pricesText: "料金はひとつ。年数と月数を自由に選べます。",
  createAccount: "アカウントを作成",
};
