import type { Texts } from "../language.ts";

export const messages: Texts["messages"] = {
  title: "メッセージ",
  newMatches: "新しいマッチ",
  conversations: "会話",
  image: "画像",
  unread: "未読",
  yesterday: "昨日",
  empty: "まだマッチはありません",
  emptyText: "お互いにいいねすると、ここで会話が始まります。",
  seeCard: "今日のカードを見る",
  chooseOne: "会話を選ぶと、ここに表示されます。",
};
