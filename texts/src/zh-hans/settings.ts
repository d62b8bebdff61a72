import type { Texts } from "../language.ts";

export const settings: Texts["settings"] = {
  title: "设置",
  profile: "个人资料",
  filter: "筛选",
  password: "密码",
  privacy: "此设备上的隐私",
  devices: "已登录设备",
  blocks: "已屏蔽的会员",
  blocksText: "你们互不可见。解除屏蔽不会恢复配对和对话。",
  noBlocks: "您没有屏蔽任何人",
  unblock: "解除屏蔽",
  unblocked: "已解除屏蔽。",
  logout: "退出登录",
  askLogout: "要退出登录吗？",
  logoutText: "此设备将不再记住您，账号保持不变。",
  stay: "留下",
  save: "保存",
  saved: "已保存。",
  unsaved: "不保存就离开吗？",
  unsavedText: "您在此处的更改尚未保存。",
  leave: "离开",
};
