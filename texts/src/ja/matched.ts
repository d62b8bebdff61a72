import type { Texts } from "../language.ts";

export const matched: Texts["matched"] = {
  title: "マッチしました",
  text: "{name}さんとお互いにいいねしました。落ち着いたときに、ひとことどうぞ。",
  write: "メッセージを送る",
  keepLooking: "続けて見る",
};
