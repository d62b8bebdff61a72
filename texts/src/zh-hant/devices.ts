import type { Texts } from "../language.ts";

export const devices: Texts["devices"] = {
  text: "您在這些裝置上處於登入狀態。不再使用或不認得的裝置，請將其登出。",
  name: "{system} 上的 {browser}",
  unknown: "未知裝置",
  current: "此裝置",
  lastUsed: "最近使用 {day}",
  signOut: "登出",
  signOutName: "登出 {name}",
  ask: "要登出 {name} 嗎？",
  askText: "該裝置需要重新登入。",
  signedOut: "已登出。",
  signOutOthers: "登出其他所有裝置",
  askOthers: "要登出其他所有裝置嗎？",
  askOthersText: "只有此裝置保持登入。",
  onlyThis: "您只在此裝置上登入。",
  cancel: "取消",
};
