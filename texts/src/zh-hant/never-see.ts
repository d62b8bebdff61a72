import type { Texts } from "../language.ts";

export const neverSee: Texts["neverSee"] = {
  intro:
    "請輸入您認識的人的電子郵件地址或用戶 ID。即使對方以後才加入，你們也絕不會看到彼此。對方不會收到通知，這裡也不會顯示對方是否是會員。",
  kept: "我們只保存無人能讀取的指紋值，因此名單不會顯示您輸入的內容。",
  effect: "對方會立即看不到您。若填寫的是電子郵件地址，其餘效果（包括結束配對）會在三天內生效。",
  who: "電子郵件地址或用戶 ID",
  whoHint:
    "每行一個，每天最多 {aDay, number} 個，總共最多 {inAll, number} 個。項目在加入 {days, number} 天後才能移除。",
  add: "加入",
  added: "已加入，對方不會看到您。",
  entries: "您的名單",
  none: "還沒有項目",
  email: "電子郵件地址",
  handle: "用戶 ID",
  addedAt: "加入於 {date}",
  removableFrom: "{date} 起可以移除",
  remove: "移除",
  askRemove: "要移除此項目嗎？",
  removeText: "三天內你們可能會再次看到彼此。已結束的配對不會恢復。",
  cancel: "取消",
  removed: "已移除。",
};
