import type { Texts } from "../language.ts";

export const devices: Texts["devices"] = {
  text: "您在这些设备上处于登录状态。不再使用或不认识的设备，请让其退出登录。",
  name: "{system} 上的 {browser}",
  unknown: "未知设备",
  current: "此设备",
  lastUsed: "最近使用 {day}",
  signOut: "退出登录",
  signOutName: "让 {name} 退出登录",
  ask: "要让 {name} 退出登录吗？",
  askText: "该设备需要重新登录。",
  signedOut: "已退出登录。",
  signOutOthers: "让其他所有设备退出登录",
  askOthers: "要让其他所有设备退出登录吗？",
  askOthersText: "只有此设备保持登录。",
  onlyThis: "您只在此设备上登录。",
  cancel: "取消",
};
