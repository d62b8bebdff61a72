import type { Texts } from "../language.ts";

export const fault: Texts["fault"] = {
  title: "我們這邊出了點問題",
  text: "請稍後再試。",
  offline: "無法連線",
  offlineText: "請檢查網路後再試。您輸入的內容已保留。",
  again: "再試一次",
  home: "回到首頁",
  notFound: "這個角落空無一物",
  notFoundText: "頁面已移動或不存在。",
};
