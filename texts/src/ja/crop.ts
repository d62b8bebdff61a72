import type { Texts } from "../language.ts";

export const crop: Texts["crop"] = {
  title: "写真を切り抜く",
  hint: "ドラッグまたは矢印キーで動かします。アーチはカードでの見え方です。",
  zoomIn: "拡大",
  zoomOut: "縮小",
  cancel: "キャンセル",
  confirm: "この写真を使う",
};
