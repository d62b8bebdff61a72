import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "为两位各有家庭的人，留一处安静的角落。",
  userId: "用户 ID",
  password: "密码",
  shared: "这是共用电脑",
  sharedHint: "15 分钟不使用，或关闭此标签页时，将退出登录。",
  logIn: "登录",
  or: "或",
  withGoogle: "使用 Google 继续",
  endedUnused: "由于页面一段时间未使用，您已退出登录。",
  endedPins: "PIN 码错误次数过多，您已退出登录。",
  forgot: "忘记密码？",
  createAccount: "创建账号",
  signingIn: "正在登录",
  oneMoment: "请稍候。",
  failed: "失败",
};
