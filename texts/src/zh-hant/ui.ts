import type { Texts } from "../language.ts";

export const ui: Texts["ui"] = {
  optional: "（選填）",
  close: "關閉",
  loading: "載入中",
  showPassword: "顯示密碼",
  hidePassword: "隱藏密碼",
};
