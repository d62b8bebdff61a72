import type { Texts } from "../language.ts";

export const letters: Texts["letters"] = {
  subject: "{brand}：お手続きのご案内",
  accountSubject: "{brand}：アカウントのお知らせ",
  codeIntro: "ご依頼のコードはこちらです。",
  codeLife: "有効期限は{minutes}分で、一度だけ使えます。ほかの人には教えないでください。",
  resetCodeUse: "このコードで新しいパスワードを設定できます。",
  accountExists: "このメールアドレスでコードの依頼がありましたが、すでにアカウントがあります。",
  accountExistsNext: "ユーザーIDとパスワードでログインしてください。",
  noAccount: "このメールアドレスでコードの依頼がありましたが、該当するアカウントはありません。",
  noAccountNext: "別のアドレスで登録された可能性があります。",
  passwordChanged: "アカウントのパスワードが変更され、ほかの端末はログアウトされました。",
  passwordChangedNext:
    "お心当たりがない場合は、ログイン画面の「パスワードをお忘れですか」から新しいパスワードを設定し、{support} までご連絡ください。",
  digestWhy:
    "このメールは、ご希望により、多くても1日1通お送りしています。配信を停止するには、次のページを開いてください。",
  ignore: "お心当たりがない場合は、何もしていただく必要はありません。",
};
