import type { Texts } from "../language.ts";

export const messages: Texts["messages"] = {
  title: "消息",
  newMatches: "新的配对",
  conversations: "对话",
  image: "图片",
  unread: "未读",
  yesterday: "昨天",
  empty: "还没有配对",
  emptyText: "当您与某人彼此喜欢时，对话就从这里开始。",
  seeCard: "查看今天的卡片",
  chooseOne: "选择一段对话，即可在此阅读。",
};
