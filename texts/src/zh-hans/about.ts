import type { Texts } from "../language.ts";

export const about: Texts["about"] = {
  title: "双方已婚，彼此谨慎。",
  lead: "{brand} 是一处私密的地方，让已婚的成年人用心认识另一个人。",
  married: "双方都已婚",
  marriedText: "彼此理解对方的界限、时间和家庭，并予以尊重。",
  paid: "付费会员制将捣乱者和骗子拒之门外",
  paidText: "愿意付费的人，往往言出由衷。",
  processed: "您的头像可以经过处理",
  processedText: "处理后的照片保留您的气质，同时降低被认出的风险。",
  prices: "价格",
  pricesText: "一口价。年数和月数任您选择。",
  createAccount: "创建账号",
};
