import type { Texts } from "../language.ts";

export const devices: Texts["devices"] = {
  text: "現在ログインしている端末です。お使いでないもの、心当たりのないものはログアウトしてください。",
  name: "{system}の{browser}",
  unknown: "不明な端末",
  current: "この端末",
  lastUsed: "最終利用日 {day}",
  signOut: "ログアウト",
  signOutName: "{name}をログアウト",
  ask: "{name}をログアウトしますか。",
  askText: "その端末では、もう一度ログインが必要になります。",
  signedOut: "ログアウトしました。",
  signOutOthers: "ほかの端末をすべてログアウト",
  askOthers: "ほかの端末をすべてログアウトしますか。",
  askOthersText: "この端末だけがログインしたままになります。",
  onlyThis: "ログインしているのはこの端末だけです。",
  cancel: "キャンセル",
};
