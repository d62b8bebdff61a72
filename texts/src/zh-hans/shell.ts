import type { Texts } from "../language.ts";

export const shell: Texts["shell"] = {
  skip: "跳到正文",
  hide: "隐藏画面",
  language: "语言",
  languageNow: "当前：{name}",
  menu: "菜单",
  home: "首页",
  messages: "消息",
  somethingNew: "有新内容",
  settings: "设置",
  privacy: "隐私",
  terms: "条款",
  about: "关于",
  notices: "通知",
  moreNotices: "还有其他通知",
  needsScript: "使用此处的按钮和表单需要 JavaScript。请为本网站启用它。",
  lifeless: "页面没有完整加载，其中的按钮无法使用。请检查网络连接并重新加载。",
};
