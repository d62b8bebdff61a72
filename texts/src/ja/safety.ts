import type { Texts } from "../language.ts";

export const safety: Texts["safety"] = {
  title: "{name}さんをブロックしますか。",
  text: "お互いに表示されなくなります。マッチは解消され、会話は双方から消去されます。",
  block: "ブロックする",
  cancel: "キャンセル",
  blocked: "ブロックしました。お互いに表示されなくなります。",
};
