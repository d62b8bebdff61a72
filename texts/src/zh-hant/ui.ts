import type { Texts } from "../language.ts";

export const ui: Texts["ui"] = {
  optional: "（選填）",
  close: "關閉",
  loading: "載入中",
  showPassword: "顯示密碼",
  hidePassword: "隱藏密碼",
  recaptcha:
    "此表單受 reCAPTCHA 保護，適用 Google 的<privacy>隱私權政策</privacy>與<terms>服務條款</terms>。",
};
