import type { Texts } from "../language.ts";

export const deleteAccount: Texts["deleteAccount"] = {
  title: "刪除帳號",
  dataTitle: "您的資料",
  dataText:
    "一個檔案，包含我們保存的與您有關的內容：個人資料、照片、您傳出的訊息，以及您喜歡、略過、封鎖和檢舉的人。",
  dataCare: "任何人開啟此檔案都能閱讀，請存放在他人看不到的地方。",
  download: "下載我的資料",
  dataComes: "開始下載。",
  leaveTitle: "永久離開",
  leaveText: "您的個人資料、配對和所有對話會立即刪除，對方那裡也一併刪除。已付費的時間隨帳號一起結束。",
  password: "密碼",
  wrongPassword: "密碼不正確",
  userId: "請輸入您的用戶 ID 以確認：{userId}",
  wrongUserId: "這不是您的用戶 ID。",
  delete: "刪除帳號",
  ask: "確定要刪除此帳號嗎？",
  noWayBack: "此操作無法復原。",
  keep: "保留我的帳號",
  done: "帳號已刪除",
};
