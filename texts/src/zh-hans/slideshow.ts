import type { Texts } from "../language.ts";

export const slideshow: Texts["slideshow"] = {
  label: "{name} 的照片",
  close: "关闭",
  previous: "上一张",
  next: "下一张",
  play: "播放",
  pause: "暂停",
  progress: "进度",
};
