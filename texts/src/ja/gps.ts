import type { Texts } from "../language.ts";

export const gps: Texts["gps"] = {
  title: "現在地の共有",
  ask: "ご利用を始めるには、位置情報の使用を許可してください。",
  why: "設定した距離の中で、お相手を探すために使います。",
  coarse: "保存されるのは約5平方キロメートルの区画だけで、正確な場所は残りません。",
  refreshed: "1時間以上たつと更新されます。",
  allow: "位置情報を許可",
  notNow: "あとで",
};
