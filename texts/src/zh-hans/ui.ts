import type { Texts } from "../language.ts";

export const ui: Texts["ui"] = {
  optional: "（选填）",
  close: "关闭",
  loading: "加载中",
  showPassword: "显示密码",
  hidePassword: "隐藏密码",
};
