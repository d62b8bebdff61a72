import type { Texts } from "../language.ts";

export const passwords: Texts["passwords"] = {
  resetTitle: "パスワードの再設定",
  resetLead: "アカウントのメールアドレスに認証コードをお送りします。",
  stepPassword: "パスワード",
  newTitle: "新しいパスワードを設定",
  newPassword: "新しいパスワード",
  newPasswordAgain: "新しいパスワード（確認）",
  save: "新しいパスワードを保存",
  backToLogin: "ログインに戻る",
  resetDone: "パスワードを再設定しました",
  current: "現在のパスワード",
  change: "パスワードを変更",
  changed: "パスワードを変更しました。ほかの端末はログアウトされました。",
  incorrect: "パスワードが正しくありません",
};
