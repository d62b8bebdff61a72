import type { Texts } from "../language.ts";

export const letters: Texts["letters"] = {
  subject: "{brand}：お手続きのご案内",
  codeIntro: "ご依頼のコードはこちらです。",
  codeLife: "有効期限は{minutes}分で、一度だけ使えます。ほかの人には教えないでください。",
  accountExists: "このメールアドレスでコードの依頼がありましたが、すでにアカウントがあります。",
  accountExistsNext: "ユーザーIDとパスワードでログインしてください。",
  ignore: "お心当たりがない場合は、何もしていただく必要はありません。",
};
