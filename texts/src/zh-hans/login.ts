import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "为两位各有家庭的人，留一处安静的角落。",
  userId: "用户 ID",
  password: "密码",
  logIn: "登录",
  createAccount: "创建账号",
};
