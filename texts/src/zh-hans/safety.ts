import type { Texts } from "../language.ts";

export const safety: Texts["safety"] = {
  title: "要屏蔽 {name} 吗？",
  text: "你们将不再看到彼此。配对会结束，双方的对话都会被清除。",
  block: "屏蔽",
  cancel: "取消",
  blocked: "已屏蔽，你们将不再看到彼此。",
};
