import type { Texts } from "../language.ts";

export const crop: Texts["crop"] = {
  title: "裁切照片",
  hint: "拖曳或用方向鍵移動。拱形表示在卡片上的樣子。",
  zoomIn: "放大",
  zoomOut: "縮小",
  cancel: "取消",
  confirm: "使用這張照片",
};
