import type { Texts } from "../language.ts";

export const letters: Texts["letters"] = {
  subject: "{brand}：您的申请",
  codeIntro: "您申请的验证码是：",
  codeLife: "验证码在 {minutes} 分钟内有效，只能使用一次。请勿告诉他人。",
  accountExists: "有人（可能是您本人）用此电子邮件地址申请了验证码，但该地址已有账号。",
  accountExistsNext: "请使用您的用户 ID 和密码登录。",
  ignore: "如果不是您本人的操作，则无需理会。",
};
