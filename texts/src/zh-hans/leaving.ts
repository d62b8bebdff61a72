import type { Texts } from "../language.ts";

export const leaving: Texts["leaving"] = {
  title: "要离开 {brand} 吗？",
  text: "此链接通往 {brand} 之外的 {host}，可能透露您的身份。",
  open: "打开",
  stay: "留下",
};
