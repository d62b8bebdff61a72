import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "すでに家庭のある二人のための、静かな場所。",
  userId: "ユーザーID",
  password: "パスワード",
  logIn: "ログイン",
  or: "または",
  withGoogle: "Googleで続ける",
  createAccount: "アカウントを作成",
  signingIn: "ログインしています",
  oneMoment: "少々お待ちください。",
  failed: "失敗しました",
};
