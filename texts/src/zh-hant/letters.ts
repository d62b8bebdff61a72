import type { Texts } from "../language.ts";

export const letters: Texts["letters"] = {
  subject: "{brand}：您的申請",
  accountSubject: "{brand}：您的帳號",
  codeIntro: "您申請的驗證碼是：",
  codeLife: "驗證碼在 {minutes} 分鐘內有效，只能使用一次。請勿告訴他人。",
  resetCodeUse: "您可以用它設定新密碼。",
  accountExists: "有人（可能是您本人）用此電子郵件地址申請了驗證碼，但該地址已有帳號。",
  accountExistsNext: "請使用您的用戶 ID 和密碼登入。",
  noAccount: "有人（可能是您本人）用此電子郵件地址申請了驗證碼，但該地址沒有對應的帳號。",
  noAccountNext: "您可能是用其他地址註冊的。",
  passwordChanged: "您帳號的密碼已變更，其他裝置已登出。",
  passwordChangedNext: "如果不是您本人的操作，請透過登入頁的「忘記密碼？」設定新密碼，並聯絡 {support}。",
  digestWhy: "您選擇了接收此郵件，每天最多一封。如需停止接收，請開啟：",
  ignore: "如果不是您本人的操作，則無需理會。",
};
