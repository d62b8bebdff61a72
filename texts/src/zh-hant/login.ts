import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "為兩位各有家庭的人，留一處安靜的角落。",
  userId: "用戶 ID",
  password: "密碼",
  logIn: "登入",
  createAccount: "建立帳號",
};
