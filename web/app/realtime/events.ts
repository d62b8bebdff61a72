import type { Dm, EventFrame, ReactionName } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";

/**
 * An event of the logged-in member. `connected`: events may have been missed before, so read the data again. `missing`: no
 * connection opens, so read it now and then; the calls may fail too.
 */
export type RealtimeEvent =
  | { kind: "match"; match: Party }
  | { kind: "dm"; dm: Dm; isQuiet?: boolean }
  | { kind: "lost"; userId: string }
  | { kind: "read"; userId: string; readerId: string; dmId: string }
  | { kind: "reading"; userId: string | null }
  | { kind: "typing"; userId: string }
  | { kind: "pictures"; userId: string }
  | { kind: "seen"; userId: string }
  | { kind: "unsent"; userId: string; dmId: string }
  | { kind: "reaction"; userId: string; dmId: string; reaction: ReactionName | null }
  | { kind: "changed"; language: string | null }
  | { kind: "device"; id: string }
  | { kind: "connected" | "missing" | "help" | "notice" };

/** Whether the data must be read again. */
export const isResync = ({ kind }: RealtimeEvent): boolean => kind === "connected" || kind === "missing";

export function eventOf(frame: EventFrame): RealtimeEvent | null {
  if ("match" in frame) return { kind: "match", match: frame.match };
  if ("dm" in frame) return { kind: "dm", dm: frame.dm, isQuiet: frame.quiet === true };
  if ("match_ended" in frame) return { kind: "lost", userId: frame.match_ended.user_id };
  if ("reading" in frame) return { kind: "reading", userId: frame.reading.user_id };
  if ("typing" in frame) return { kind: "typing", userId: frame.typing.user_id };
  if ("pictures" in frame) return { kind: "pictures", userId: frame.pictures.user_id };
  if ("seen" in frame) return { kind: "seen", userId: frame.seen.user_id };
  if ("unsent" in frame) return { kind: "unsent", userId: frame.unsent.user_id, dmId: frame.unsent.dm_id };
  if ("reaction" in frame) {
    const { user_id, dm_id, reaction } = frame.reaction;
    return { kind: "reaction", userId: user_id, dmId: dm_id, reaction };
  }
  if ("changed" in frame) return { kind: "changed", language: frame.changed.language };
  if ("device" in frame) return { kind: "device", id: frame.device.id };
  if ("help" in frame) return { kind: "help" };
  if ("notice" in frame) return { kind: "notice" };
  if (!("read" in frame)) return null;
  const { user_id, reader_id, dm_id } = frame.read;
  return { kind: "read", userId: user_id, readerId: reader_id, dmId: dm_id };
}
