import type { Texts } from "../language.ts";

export const leaving: Texts["leaving"] = {
  title: "要離開 {brand} 嗎？",
  text: "此連結通往 {brand} 之外的 {host}，可能透露您的身分。",
  open: "開啟",
  stay: "留下",
};
