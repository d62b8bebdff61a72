import type { Texts } from "../language.ts";

export const passwords: Texts["passwords"] = {
  resetTitle: "重设密码",
  resetLead: "我们会将验证码发送到您账号的电子邮箱。",
  stepPassword: "密码",
  newTitle: "设置新密码",
  newPassword: "新密码",
  newPasswordAgain: "再次输入新密码",
  save: "保存新密码",
  backToLogin: "返回登录",
  resetDone: "密码已重设",
  current: "当前密码",
  change: "更改密码",
  changed: "密码已更改，其他设备已退出登录。",
  incorrect: "密码不正确",
};
