import type { Texts } from "../language.ts";

export const crop: Texts["crop"] = {
  title: "裁剪照片",
  hint: "拖动或用方向键移动。拱形表示在卡片上的样子。",
  zoomIn: "放大",
  zoomOut: "缩小",
  cancel: "取消",
  confirm: "使用这张照片",
};
