import type { Texts } from "../language.ts";

export const shell: Texts["shell"] = {
  skip: "本文へ移動",
  hide: "画面を隠す",
  language: "言語",
  languageNow: "現在：{name}",
  menu: "メニュー",
  home: "ホーム",
  messages: "メッセージ",
  somethingNew: "新着あり",
  settings: "設定",
  privacy: "プライバシー",
  terms: "利用規約",
  about: "サービスについて",
  notices: "お知らせ",
  moreNotices: "続くお知らせがあります",
  needsScript:
    "ボタンや入力フォームをお使いいただくには、JavaScriptが必要です。このサイトで有効にしてください。",
  lifeless:
    "ページを最後まで読み込めなかったため、ボタンなどをお使いいただけません。接続を確認して、もう一度読み込んでください。",
};
