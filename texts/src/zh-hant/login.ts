import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "為兩位各有家庭的人，留一處安靜的角落。",
  userId: "用戶 ID",
  password: "密碼",
  logIn: "登入",
  or: "或",
  withGoogle: "使用 Google 繼續",
  createAccount: "建立帳號",
  signingIn: "正在登入",
  oneMoment: "請稍候。",
  failed: "失敗",
};
