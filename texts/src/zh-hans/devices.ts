import type { Texts } from "../language.ts";

export const devices: Texts["devices"] = {
  text: "您在这些设备上处于登录状态。不再使用或不认识的设备，请将其退出。",
  name: "{system} 上的 {browser}",
  unknown: "未知设备",
  current: "此设备",
  lastUsed: "最近使用 {day}",
  signOut: "退出",
  signOutName: "退出 {name}",
  ask: "要退出 {name} 吗？",
  askText: "该设备需要重新登录。",
  signedOut: "已退出。",
  signOutOthers: "退出其他所有设备",
  askOthers: "要退出其他所有设备吗？",
  askOthersText: "只有此设备保持登录。",
  onlyThis: "您只在此设备上登录。",
  cancel: "取消",
};
