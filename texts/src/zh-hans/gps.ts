import type { Texts } from "../language.ts";

export const gps: Texts["gps"] = {
  title: "分享您的位置",
  ask: "请允许使用定位，以便开始使用。",
  why: "您的位置用于在您设定的距离内寻找对象。",
  coarse: "只保存约 5 平方公里的区块，绝不保存确切位置。",
  refreshed: "超过一小时后会更新。",
  allow: "允许定位",
  notNow: "暂不",
};
