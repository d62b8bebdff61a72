import type { Texts } from "../language.ts";

export const fault: Texts["fault"] = {
  title: "我们这边出了点问题",
  text: "请稍后再试。",
  offline: "无法连接",
  offlineText: "请检查网络后重试。您输入的内容已保留。",
  again: "重试",
  home: "回到首页",
  notFound: "这个角落空无一物",
  notFoundText: "页面已移动或不存在。",
};
