import type { Texts } from "../language.ts";

export const leaving: Texts["leaving"] = {
  title: "{brand}から離れますか。",
  text: "このリンクは{brand}の外の {host} につながっています。あなたが誰であるか、知られることがあります。",
  open: "開く",
  stay: "このまま続ける",
};
