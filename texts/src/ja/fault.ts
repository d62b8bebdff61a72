import type { Texts } from "../language.ts";

export const fault: Texts["fault"] = {
  title: "こちらで問題が発生しました",
  text: "しばらくしてからもう一度お試しください。",
  offline: "接続できません",
  offlineText: "通信状況をご確認のうえ、もう一度お試しください。入力内容は保持されています。",
  again: "もう一度試す",
  home: "ホームへ",
  notFound: "ここには何もありません",
  notFoundText: "ページは移動したか、存在しません。",
};
