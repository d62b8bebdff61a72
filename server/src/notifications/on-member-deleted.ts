import type { Tx } from "../platform/db/database.ts";
import { takeEntries } from "./outbox.sql.ts";
import { deletePreferences } from "./preferences.sql.ts";
import { deleteAllDevices } from "./subscriptions.ts";

export async function deleteNotificationData(tx: Tx, memberId: number): Promise<void> {
  await deletePreferences(tx, memberId);
  await deleteAllDevices(tx, memberId);
  await takeEntries(tx, memberId);
}
