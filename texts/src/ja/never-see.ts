import type { Texts } from "../language.ts";

export const neverSee: Texts["neverSee"] = {
  intro:
    "お知り合いのメールアドレスまたはユーザーIDを入力してください。後から入会した場合も、お互いに表示されることはありません。相手には通知されず、会員かどうかもここでは分かりません。",
  kept: "誰にも読み取れない照合用の値だけを保存します。そのため、入力した内容は一覧に表示されません。",
  effect: "あなたの表示はすぐに止まります。メールアドレスの場合、マッチの解消などは3日以内に行われます。",
  who: "メールアドレスまたはユーザーID",
  whoHint:
    "1行に1件。1日{aDay, number}件、合計{inAll, number}件まで。登録は追加から{days, number}日後に削除できます。",
  add: "追加する",
  added: "追加しました。相手には表示されません。",
  entries: "登録一覧",
  none: "まだ登録はありません",
  email: "メールアドレス",
  handle: "ユーザーID",
  addedAt: "追加日：{date}",
  removableFrom: "{date}から削除できます",
  remove: "削除",
  askRemove: "この登録を削除しますか。",
  removeText: "3日以内に、再びお互いに表示されることがあります。解消されたマッチは元に戻りません。",
  cancel: "キャンセル",
  removed: "削除しました。",
};
