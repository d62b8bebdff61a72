import type { Texts } from "../language.ts";

export const messages: Texts["messages"] = {
  title: "訊息",
  newMatches: "新的配對",
  conversations: "對話",
  image: "圖片",
  unread: "未讀",
  yesterday: "昨天",
  empty: "還沒有配對",
  emptyText: "當您與某人彼此喜歡時，對話就從這裡開始。",
  seeCard: "查看今天的卡片",
  chooseOne: "選擇一段對話，即可在此閱讀。",
};
