import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "为两位各有家庭的人，留一处安静的角落。",
  userId: "用户 ID",
  password: "密码",
  logIn: "登录",
  or: "或",
  withGoogle: "使用 Google 继续",
  createAccount: "创建账号",
  signingIn: "正在登录",
  oneMoment: "请稍候。",
  failed: "失败",
};
