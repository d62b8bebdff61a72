import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "すでに家庭のある二人のための、静かな場所。",
  userId: "ユーザーID",
  password: "パスワード",
  shared: "共用のパソコンを使用中",
  sharedHint: "15分間使わないとき、またはこのタブを閉じたときにログアウトします。",
  logIn: "ログイン",
  or: "または",
  withGoogle: "Googleで続ける",
  endedUnused: "しばらく使われなかったため、ログアウトしました。",
  endedPins: "暗証番号の誤りが続いたため、ログアウトしました。",
  forgot: "パスワードをお忘れですか",
  createAccount: "アカウントを作成",
  signingIn: "ログインしています",
  oneMoment: "少々お待ちください。",
  failed: "失敗しました",
};
