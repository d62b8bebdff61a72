import type { Texts } from "../language.ts";

export const letters: Texts["letters"] = {
  subject: "{brand}：您的申請",
  codeIntro: "您申請的驗證碼是：",
  codeLife: "驗證碼在 {minutes} 分鐘內有效，只能使用一次。請勿告訴他人。",
  accountExists: "有人（可能是您本人）用此電子郵件地址申請了驗證碼，但該地址已有帳號。",
  accountExistsNext: "請使用您的用戶 ID 和密碼登入。",
  ignore: "如果不是您本人的操作，則無需理會。",
};
