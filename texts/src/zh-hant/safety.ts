import type { Texts } from "../language.ts";

export const safety: Texts["safety"] = {
  title: "要封鎖 {name} 嗎？",
  text: "你們將不再看到彼此。配對會結束，雙方的對話都會被清除。",
  block: "封鎖",
  cancel: "取消",
  blocked: "已封鎖，你們將不再看到彼此。",
};
