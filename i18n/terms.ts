import type { Language } from "./index.ts";

/** One thing and its one word in each language. */
export interface Term {
  readonly word: Record<Language, string>;
  readonly rejected?: Partial<Record<Language, RegExp>>;
  /** Messages whose wording the specification fixes, or where a rejected word means something else. */
  readonly except?: readonly string[];
}

function term(
  en: string,
  ja: string,
  hans: string,
  hant: string,
  rejected?: Term["rejected"],
  except?: readonly string[],
): Term {
  const word = { en, ja, "zh-hans": hans, "zh-hant": hant };
  return { word, ...(rejected && { rejected }), ...(except && { except }) };
}

export const terms: readonly Term[] = [
  term("account", "アカウント", "账号", "帳號", { "zh-hans": /帐号/, "zh-hant": /賬/ }),
  term("app", "アプリ", "应用", "應用程式", {
    "zh-hans": /应用程序|\bApp\b(?!<)/,
    "zh-hant": /\bApp\b(?!<)/,
  }),
  term("automatic logout", "自動ログアウト", "自动退出", "自動登出"),
  term("available", "お受け取り可能", "可提现", "可提領", { ja: /受取可能/ }),
  term("block", "ブロック", "屏蔽", "封鎖", { "zh-hans": /拉黑|封锁/, "zh-hant": /屏蔽|遮蔽/ }),
  term("blurred", "ぼかし", "模糊", "模糊", { en: /\b(?:processed|softened|pixelated)\b/i, ja: /モザイク/ }, [
    "membership.notProcessed",
  ]),
  term("brokerage fee", "紹介料", "推荐佣金", "推薦佣金", { en: /\b(?:commission|reward)\b/i }),
  term("browser", "ブラウザ", "浏览器", "瀏覽器", { ja: /ブラウザー/ }),
  term("card", "カード", "卡片", "卡片"),
  term("clear picture", "元の写真", "原图", "原圖", {
    en: /\boriginal picture\b/i,
    ja: /鮮明な/,
    "zh-hans": /清晰/,
    "zh-hant": /清晰/,
  }),
  term("code", "コード", "验证码", "驗證碼", { "zh-hans": /校验码/, "zh-hant": /認證碼/ }),
  term("conversation", "会話", "对话", "對話", {
    en: /\b(?:chat|thread)\b/i,
    ja: /チャット|トーク/,
    "zh-hans": /会话|聊天/,
    "zh-hant": /會話|聊天/,
  }),
  term("coupon", "クーポン", "优惠券", "優惠券", { ja: /割引券/, "zh-hans": /优惠码/, "zh-hant": /優惠碼/ }),
  term("currency", "通貨", "货币", "幣別", { "zh-hant": /貨幣/ }),
  term("device", "端末", "设备", "裝置", { ja: /デバイス/, "zh-hant": /設備/ }),
  term("email", "メール", "邮", "郵件", {
    en: /e-mail|\b(?:this|the|these) letters?\b/i,
    ja: /Eメール|電子メール/,
    "zh-hans": /电子邮/,
    "zh-hant": /信箱|电邮|電郵/,
  }),
  term("filter", "検索条件", "筛选", "篩選", {
    ja: /フィルター?/,
    "zh-hans": /过滤/,
    "zh-hant": /過濾/,
  }),
  term("hide the screen", "画面を隠", "隐藏画面", "隱藏畫面", {
    "zh-hans": /隐藏屏幕/,
    "zh-hant": /隱藏螢幕/,
  }),
  term("introduction", "自己紹介", "自我介绍", "自我介紹", { en: /self-introduction/i }),
  term("invitation link", "招待リンク", "邀请链接", "邀請連結", { "zh-hant": /鏈接|鏈結/ }),
  term("like", "いいね", "喜欢", "喜歡", { "zh-hans": /点赞/, "zh-hant": /按讚/ }),
  term("log in", "ログイン", "登录", "登入", {
    en: /\b(?:sign|signed|signing)[ -](?:in|out)\b/i,
    ja: /サインイン|サインアウト/,
    "zh-hans": /登陆|登入|登出/,
    "zh-hant": /登陸|登錄/,
  }),
  term("match", "マッチ", "配对", "配對", { ja: /マッチング/, "zh-hans": /匹配/, "zh-hant": /匹配|速配/ }),
  term("member", "会員", "会员", "會員", { ja: /メンバー/ }),
  term("message", "メッセージ", "消息", "訊息", { "zh-hant": /消息/ }),
  term("mute", "ミュート", "静音", "靜音", { ja: /消音/, "zh-hans": /屏蔽通知/ }),
  term("notes", "メモ", "备忘录", "備忘錄", { "zh-hans": /笔记|便笺/, "zh-hant": /筆記|便箋/ }),
  term("notification", "通知", "通知", "通知", { en: /\bpush\b/i, "zh-hans": /推送/, "zh-hant": /推播/ }),
  term("pass", "見送", "略过", "略過", { ja: /スキップ/, "zh-hans": /跳过/, "zh-hant": /跳過/ }),
  term("picture", "写真", "照片", "照片", { en: /\bphotos?\b/i, "zh-hant": /相片/ }),
  term("PIN", "PIN", "PIN 码", "PIN 碼", {
    ja: /暗証番号/,
    "zh-hans": /PIN(?! 码)/,
    "zh-hant": /PIN(?! 碼)/,
  }),
  term("privacy policy", "プライバシーポリシー", "隐私政策", "隱私權政策", { "zh-hant": /隱私政策/ }),
  term("purchase history", "購入履歴", "购买记录", "購買紀錄", { "zh-hant": /購買記錄/ }),
  term("report", "報告する", "举报", "檢舉", { ja: /通報/, "zh-hans": /投诉/, "zh-hant": /舉報/ }),
  term("save", "保存", "保存", "儲存"),
  term("settings", "設定", "设置", "設定", { "zh-hans": /设定/, "zh-hant": /設置/ }),
  term("take back", "送信を取り消す", "撤回", "收回", { en: /\bunsend\b/i, "zh-hant": /撤回/ }, [
    "signUp.agreePrivacyHint",
  ]),
  term("transfer", "お受け取り", "提现", "提領", {
    ja: /送金/,
    "zh-hans": /(?<!银行)转账/,
    "zh-hant": /(?<!銀行)轉帳/,
  }),
  term("user ID", "ユーザーID", "用户 ID", "使用者 ID", { en: /\bhandle\b/i, "zh-hant": /用戶/ }),
  term("years married", "結婚年数", "婚龄", "結婚年數", { ja: /結婚歴/, "zh-hant": /婚齡/ }),
];

/** Words and signs that no text has: it stays courteous, calm, and safe to read over a shoulder. */
export const unwanted: Record<Language, RegExp> = {
  en: /!|\b(?:dating|flirt|romance|affair|sealed|told)\b/i,
  ja: /[!！]|恋|婚活|デート|出会い系/,
  "zh-hans": /[!！]|你(?!们)|约会|交友|恋爱/,
  "zh-hant": /[!！]|你(?!們)|約會|交友|戀愛/,
};

/** The specification fixes the exclamation mark of this one. */
export const unwantedExcept: readonly string[] = ["matchNotice.title"];
