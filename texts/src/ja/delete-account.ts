import type { Texts } from "../language.ts";

export const deleteAccount: Texts["deleteAccount"] = {
  title: "アカウントの削除",
  dataTitle: "ご自身のデータ",
  dataText:
    "保存されている情報をまとめたファイルです。プロフィール、写真、送信したメッセージ、いいね・見送り・ブロック・報告した相手が含まれます。",
  dataCare: "ファイルを開けば誰でも読めます。人の目に触れない場所に保管してください。",
  download: "データをダウンロード",
  dataComes: "ダウンロードを開始します。",
  leaveTitle: "退会する",
  leaveText:
    "プロフィール、マッチ、すべての会話が、お相手の側も含めてすぐに消えます。お支払い済みの期間も終了します。",
  password: "パスワード",
  wrongPassword: "パスワードが正しくありません",
  userId: "確認のため、ユーザーIDを入力してください: {userId}",
  wrongUserId: "ユーザーIDが一致しません。",
  delete: "アカウントを削除",
  ask: "本当にアカウントを削除しますか。",
  noWayBack: "この操作は取り消せません。",
  keep: "削除しない",
  done: "アカウントを削除しました",
};
