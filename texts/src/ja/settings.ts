import type { Texts } from "../language.ts";

export const settings: Texts["settings"] = {
  title: "設定",
  profile: "プロフィール",
  filter: "フィルター",
  password: "パスワード",
  privacy: "この端末のプライバシー",
  devices: "ログイン中の端末",
  blocks: "ブロックした会員",
  blocksText: "お互いに表示されません。解除しても、マッチと会話は元に戻りません。",
  noBlocks: "ブロックした会員はいません",
  unblock: "解除",
  unblocked: "ブロックを解除しました。",
  logout: "ログアウト",
  askLogout: "ログアウトしますか。",
  logoutText: "この端末からログイン情報が消えます。アカウントはそのまま残ります。",
  stay: "このまま続ける",
  save: "保存",
  saved: "保存しました。",
  unsaved: "保存せずに移動しますか。",
  unsavedText: "この画面での変更は、まだ保存されていません。",
  leave: "移動する",
};
