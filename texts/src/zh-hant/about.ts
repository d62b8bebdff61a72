import type { Texts } from "../language.ts";

export const about: Texts["about"] = {
  title: "雙方已婚，彼此謹慎。",
  lead: "{brand} 是一處私密的地方，讓已婚的成年人用心認識另一個人。",
  married: "雙方都已婚",
  marriedText: "彼此理解對方的界限、時間和家庭，並予以尊重。",
  paid: "付費會員制將搗亂者和騙子拒於門外",
  paidText: "願意付費的人，往往言出由衷。",
  processed: "您的頭像可以經過處理",
  processedText: "處理後的照片保留您的氣質，同時降低被認出的風險。",
  prices: "價格",
  pricesText: "單一價格。年數和月數任您選擇。",
  createAccount: "建立帳號",
};
