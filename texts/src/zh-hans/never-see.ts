import type { Texts } from "../language.ts";

export const neverSee: Texts["neverSee"] = {
  intro:
    "请输入您认识的人的电子邮箱地址或用户 ID。即使对方以后才加入，你们也绝不会看到彼此。对方不会收到通知，这里也不会显示对方是否是会员。",
  kept: "我们只保存无人能读取的指纹值，因此名单不会显示您输入的内容。",
  effect: "对方会立即看不到您。若填写的是电子邮箱地址，其余效果（包括结束配对）会在三天内生效。",
  who: "电子邮箱地址或用户 ID",
  whoHint:
    "每行一个，每天最多 {aDay, number} 个，总共最多 {inAll, number} 个。条目在添加 {days, number} 天后才能移除。",
  add: "添加",
  added: "已添加，对方不会看到您。",
  entries: "您的名单",
  none: "还没有条目",
  email: "电子邮箱地址",
  handle: "用户 ID",
  addedAt: "添加于 {date}",
  removableFrom: "{date} 起可以移除",
  remove: "移除",
  askRemove: "要移除此条目吗？",
  removeText: "三天内你们可能会再次看到彼此。已结束的配对不会恢复。",
  cancel: "取消",
  removed: "已移除。",
};
