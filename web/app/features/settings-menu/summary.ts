import { getOwnUser, getSessions } from "@alcove/contract/accounts";
import { getNotices } from "@alcove/contract/cases";
import type { ResponseOf } from "@alcove/contract/call";
import { getLikes } from "@alcove/contract/discovery";
import { getHelp, type HelpMessage } from "@alcove/contract/help";
import { getOrders } from "@alcove/contract/membership";
import { getReading } from "@alcove/contract/messaging";
import { getNotifications } from "@alcove/contract/notifications";
import { getPasskeys } from "@alcove/contract/passkeys";
import { getBlocks, getNeverSee } from "@alcove/contract/safety";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";

/** The present values of the settings; null where the request failed. */
export interface Summary {
  readonly user: User | null;
  readonly liked: number | null;
  readonly blocked: number | null;
  readonly neverSee: number | null;
  readonly chat: ResponseOf<typeof getReading> | null;
  readonly sessions: number | null;
  readonly passkeys: number | null;
  readonly orders: number | null;
  readonly isNotified: boolean | null;
  readonly hasNewNotices: boolean | null;
  readonly help: HelpMessage["from"] | "nobody" | null;
}

/** Never throws: a menu without values still works. */
export async function loadSummary(): Promise<Summary> {
  const [user, liked, blocked, neverSee, chat, sessions, passkeys, orders, isNotified, hasNewNotices, help] =
    await Promise.all([
      orNull(async () => (await api(getOwnUser, {})).user),
      orNull(async () => (await api(getLikes, {})).likes.length),
      orNull(async () => (await api(getBlocks, {})).users.length),
      orNull(async () => (await api(getNeverSee, {})).entries.length),
      orNull(async () => api(getReading, {})),
      orNull(async () => (await api(getSessions, {})).sessions.length),
      orNull(async () => (await api(getPasskeys, {})).passkeys.length),
      orNull(async () => (await api(getOrders, {})).orders.length),
      orNull(async () => (await device.push.state()) === "on" && (await api(getNotifications, {})).push),
      orNull(async () => (await api(getNotices, {})).notices.some((notice) => notice.is_new)),
      orNull(async () => (await api(getHelp, {})).messages.at(-1)?.from ?? "nobody"),
    ]);
  return {
    user,
    liked,
    blocked,
    neverSee,
    chat,
    sessions,
    passkeys,
    orders,
    isNotified,
    hasNewNotices,
    help,
  };
}

const orNull = <T>(load: () => Promise<T>): Promise<T | null> => load().catch(() => null);
