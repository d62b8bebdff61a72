import type { Texts } from "../language.ts";

export const codes: Texts["codes"] = {
  progress: "进度",
  stepEmail: "电子邮箱",
  stepCode: "验证码",
  email: "电子邮箱",
  send: "发送验证码",
  title: "输入验证码",
  lead: "验证码正在发往 <strong>{email}</strong>，可能需要一分钟。",
  code: "验证码",
  wrong: "验证码不正确。错误次数：{misses}",
  confirm: "确认",
  another: "重新发送验证码",
  sent: "新的验证码已发出，仅最新的一个有效。",
  otherEmail: "使用其他邮箱",
  missedTooOften: "错误次数过多，请重新开始。",
  failed: "出错了，请重试。",
};
