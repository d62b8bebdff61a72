import type { Texts } from "../language.ts";

export const settings: Texts["settings"] = {
  title: "設定",
  profile: "個人資料",
  filter: "篩選",
  password: "密碼",
  privacy: "此裝置上的隱私",
  devices: "已登入裝置",
  blocks: "已封鎖的會員",
  blocksText: "你們互不可見。解除封鎖不會恢復配對和對話。",
  noBlocks: "您沒有封鎖任何人",
  unblock: "解除封鎖",
  unblocked: "已解除封鎖。",
  logout: "登出",
  askLogout: "要登出嗎？",
  logoutText: "此裝置將不再記住您，帳號保持不變。",
  stay: "留下",
  save: "儲存",
  saved: "已儲存。",
  unsaved: "不儲存就離開嗎？",
  unsavedText: "您在此處的變更尚未儲存。",
  leave: "離開",
};
