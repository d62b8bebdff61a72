import type { Texts } from "../language.ts";

export const letters: Texts["letters"] = {
  subject: "{brand}：您的申请",
  accountSubject: "{brand}：您的账号",
  codeIntro: "您申请的验证码是：",
  codeLife: "验证码在 {minutes} 分钟内有效，只能使用一次。请勿告诉他人。",
  resetCodeUse: "您可以用它设置新密码。",
  accountExists: "有人（可能是您本人）用此电子邮件地址申请了验证码，但该地址已有账号。",
  accountExistsNext: "请使用您的用户 ID 和密码登录。",
  noAccount: "有人（可能是您本人）用此电子邮件地址申请了验证码，但该地址没有对应的账号。",
  noAccountNext: "您可能是用其他地址注册的。",
  passwordChanged: "您账号的密码已更改，其他设备已退出登录。",
  passwordChangedNext: "如果不是您本人的操作，请通过登录页的“忘记密码？”设置新密码，并联系 {support}。",
  digestWhy: "您选择了接收此邮件，每天最多一封。如需停止接收，请打开：",
  ignore: "如果不是您本人的操作，则无需理会。",
};
