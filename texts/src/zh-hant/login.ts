import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "為兩位各有家庭的人，留一處安靜的角落。",
  userId: "用戶 ID",
  password: "密碼",
  shared: "這是共用電腦",
  sharedHint: "15 分鐘不使用，或關閉此分頁時，將登出。",
  logIn: "登入",
  or: "或",
  withGoogle: "使用 Google 繼續",
  endedUnused: "由於頁面一段時間未使用，您已登出。",
  endedPins: "PIN 碼錯誤次數過多，您已登出。",
  forgot: "忘記密碼？",
  createAccount: "建立帳號",
  signingIn: "正在登入",
  oneMoment: "請稍候。",
  failed: "失敗",
};
