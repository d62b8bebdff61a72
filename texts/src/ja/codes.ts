import type { Texts } from "../language.ts";

export const codes: Texts["codes"] = {
  progress: "進行状況",
  stepEmail: "メール",
  stepCode: "認証コード",
  email: "メールアドレス",
  send: "認証コードを送る",
  title: "認証コードを入力",
  lead: "<strong>{email}</strong> にお送りしました。届くまで1分ほどかかることがあります。",
  code: "認証コード",
  wrong: "認証コードが違います。失敗：{misses}回",
  confirm: "確認",
  another: "新しいコードを送る",
  sent: "新しいコードをお送りしました。最新のコードだけが有効です。",
  otherEmail: "別のアドレスを使う",
  missedTooOften: "入力の誤りが続いたため、最初からやり直してください。",
  failed: "エラーが発生しました。もう一度お試しください。",
};
