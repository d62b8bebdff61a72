import type { Texts } from "../language.ts";

export const passwords: Texts["passwords"] = {
  resetTitle: "重設密碼",
  resetLead: "我們會將驗證碼寄送到您帳號的電子信箱。",
  stepPassword: "密碼",
  newTitle: "設定新密碼",
  newPassword: "新密碼",
  newPasswordAgain: "再次輸入新密碼",
  save: "儲存新密碼",
  backToLogin: "返回登入",
  resetDone: "密碼已重設",
  current: "目前的密碼",
  change: "變更密碼",
  changed: "密碼已變更，其他裝置已登出。",
  incorrect: "密碼不正確",
};
