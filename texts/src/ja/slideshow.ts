import type { Texts } from "../language.ts";

export const slideshow: Texts["slideshow"] = {
  label: "{name}さんの写真",
  close: "閉じる",
  previous: "前へ",
  next: "次へ",
  play: "再生",
  pause: "一時停止",
  progress: "進行状況",
};
