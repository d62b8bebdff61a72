import type { Texts } from "../language.ts";

export const gps: Texts["gps"] = {
  title: "分享您的位置",
  ask: "請允許使用定位，以便開始使用。",
  why: "您的位置用於在您設定的距離內尋找對象。",
  coarse: "只保存約 5 平方公里的區塊，絕不保存確切位置。",
  refreshed: "超過一小時後會更新。",
  allow: "允許定位",
  notNow: "暫不",
};
