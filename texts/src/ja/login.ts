import type { Texts } from "../language.ts";

export const login: Texts["login"] = {
  pitch: "すでに家庭のある二人のための、静かな場所。",
  userId: "ユーザーID",
  password: "パスワード",
  logIn: "ログイン",
  createAccount: "アカウントを作成",
};
