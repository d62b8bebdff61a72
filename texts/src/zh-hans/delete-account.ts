import type { Texts } from "../language.ts";

export const deleteAccount: Texts["deleteAccount"] = {
  title: "删除账号",
  dataTitle: "您的数据",
  dataText:
    "一个文件，包含我们保存的与您有关的内容：个人资料、照片、您发出的消息，以及您喜欢、略过、屏蔽和举报的人。",
  dataCare: "任何人打开此文件都能阅读，请保存在他人看不到的地方。",
  download: "下载我的数据",
  dataComes: "开始下载。",
  leaveTitle: "永久离开",
  leaveText: "您的个人资料、配对和所有对话会立即删除，对方那里也一并删除。已付费的时间随账号一起结束。",
  password: "密码",
  wrongPassword: "密码不正确",
  userId: "请输入您的用户 ID 以确认：{userId}",
  wrongUserId: "这不是您的用户 ID。",
  delete: "删除账号",
  ask: "确定要删除此账号吗？",
  noWayBack: "此操作无法撤销。",
  keep: "保留我的账号",
  done: "账号已删除",
};
