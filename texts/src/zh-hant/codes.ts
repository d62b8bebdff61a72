import type { Texts } from "../language.ts";

export const codes: Texts["codes"] = {
  progress: "進度",
  stepEmail: "電子郵件",
  stepCode: "驗證碼",
  email: "電子郵件",
  send: "寄送驗證碼",
  title: "輸入驗證碼",
  lead: "驗證碼正在寄往 <strong>{email}</strong>，可能需要一分鐘。",
  code: "驗證碼",
  wrong: "驗證碼不正確。錯誤次數：{misses}",
  confirm: "確認",
  another: "重新寄送驗證碼",
  sent: "新的驗證碼已寄出，僅最新的一個有效。",
  otherEmail: "使用其他信箱",
  missedTooOften: "錯誤次數過多，請重新開始。",
  failed: "發生錯誤，請再試一次。",
};
