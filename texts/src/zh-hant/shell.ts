import type { Texts } from "../language.ts";

export const shell: Texts["shell"] = {
  skip: "跳到正文",
  hide: "隱藏畫面",
  language: "語言",
  languageNow: "目前：{name}",
  menu: "選單",
  home: "首頁",
  messages: "訊息",
  somethingNew: "有新內容",
  settings: "設定",
  privacy: "隱私",
  terms: "條款",
  about: "關於",
  notices: "通知",
  moreNotices: "還有其他通知",
  needsScript: "使用此處的按鈕和表單需要 JavaScript。請為本網站啟用它。",
  lifeless: "頁面沒有完整載入，其中的按鈕無法使用。請檢查網路連線並重新載入。",
};
