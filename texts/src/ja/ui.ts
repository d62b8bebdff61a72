import type { Texts } from "../language.ts";

export const ui: Texts["ui"] = {
  optional: "(任意)",
  close: "閉じる",
  loading: "読み込み中",
  showPassword: "パスワードを表示",
  hidePassword: "パスワードを隠す",
  recaptcha:
    "このフォームはreCAPTCHAで保護されています。Googleの<privacy>プライバシーポリシー</privacy>と<terms>利用規約</terms>が適用されます。",
};
