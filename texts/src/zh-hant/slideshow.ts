import type { Texts } from "../language.ts";

export const slideshow: Texts["slideshow"] = {
  label: "{name} 的照片",
  close: "關閉",
  previous: "上一張",
  next: "下一張",
  play: "播放",
  pause: "暫停",
  progress: "進度",
};
