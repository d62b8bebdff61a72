import { useEffect } from "react";
import { conversations } from "../features/chat/conversation/conversations.ts";
import { clearDrafts } from "../features/chat/drafts.ts";
import { clearOutbox } from "../features/chat/stored-outbox.ts";
import { markNotified, markNotifiedWhenVisible } from "../features/notifications/mark-notified.ts";
import { banner } from "../lib/page/banner.ts";
import { useLock } from "../lib/session/lock.ts";
import { currentLoginId } from "../lib/session/session.ts";
import { isResync } from "../realtime/events.ts";
import { unread } from "../realtime/unread.ts";
import { onRealtimeEvent, startRealtime } from "../realtime/realtime.ts";
import { newMatches } from "./match-notice/new-matches.ts";

/** Keeps the connection open while the app is not locked. */
export function RealtimeUpdates() {
  const { isLocked } = useLock();
  useEffect(() => {
    if (isLocked) return undefined;
    const unsubscribe = onRealtimeEvent((event) => {
      if (event.kind === "match") newMatches.notify(event.match);
      if (isResync(event)) newMatches.catchUp().catch(() => undefined);
      // Before `unread`: a message on screen is read at once.
      conversations.handle(event);
      unread.handle(event);
      if (event.kind === "help") banner.notify("help.answered");
      if (event.kind === "notice") banner.notify("ownNotices.arrived");
      if (["match", "dm", "help", "notice"].includes(event.kind)) markNotified();
    });
    const stop = startRealtime();
    const stopWatching = markNotifiedWhenVisible();
    return () => {
      unsubscribe();
      stopWatching();
      stop();
    };
  }, [isLocked]);
  useEffect(() => {
    const loginId = currentLoginId();
    return () => {
      // An error screen replaces the page of a member who stays logged in.
      if (currentLoginId() === loginId) return;
      newMatches.clear();
      conversations.clear();
      unread.clear();
      clearDrafts();
      clearOutbox();
    };
  }, []);
  return null;
}

unread.setReadSource(conversations.hasRead);
