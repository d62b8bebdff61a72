import type { Texts } from "../language.ts";

export const ui: Texts["ui"] = {
  optional: "（选填）",
  close: "关闭",
  loading: "加载中",
  showPassword: "显示密码",
  hidePassword: "隐藏密码",
  recaptcha:
    "此表单受 reCAPTCHA 保护，适用 Google 的<privacy>隐私权政策</privacy>和<terms>服务条款</terms>。",
};
