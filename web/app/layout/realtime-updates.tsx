import { useEffect } from "react";
import { conversations } from "../features/chat/conversations.ts";
import { clearDrafts } from "../features/chat/drafts.ts";
import { markNotified, markNotifiedWhenVisible } from "../features/notifications/mark-notified.ts";
import { device } from "../device/browser.ts";
import { useLock } from "../lib/session/lock.ts";
import { currentSession, releasePage, useIsLoggedIn } from "../lib/session/session.ts";
import { unread } from "../lib/unread.ts";
import { onRealtimeEvent, startRealtime } from "../realtime/realtime.ts";
import { newMatches } from "./match-notice/new-matches.ts";

/** Keeps the connection open while a member is logged in and the app is not locked. */
export function RealtimeUpdates() {
  const isLoggedIn = useIsLoggedIn();
  const { isLocked } = useLock();
  useEffect(() => {
    if (!isLoggedIn || isLocked) return undefined;
    const unsubscribe = onRealtimeEvent((event) => {
      if (event.kind === "match") newMatches.notify(event.match);
      if (event.kind === "connected") newMatches.catchUp().catch(() => undefined);
      // Before `unread`: a message on screen is read at once.
      conversations.handle(event);
      unread.handle(event);
      if (event.kind === "match" || event.kind === "dm") markNotified();
    });
    const stop = startRealtime();
    const stopWatching = markNotifiedWhenVisible();
    return () => {
      unsubscribe();
      stopWatching();
      stop();
    };
  }, [isLoggedIn, isLocked]);
  useEffect(() => {
    // The session may have ended before this effect first ran.
    if (isLoggedIn === false) releasePage();
    if (!isLoggedIn) return undefined;
    return () => {
      newMatches.clear();
      conversations.clear();
      unread.clear();
      clearDrafts();
      releasePage();
      // The server has already ended this device's subscription.
      if (!currentSession()) void device.push.unsubscribe().catch(() => undefined);
    };
  }, [isLoggedIn]);
  return null;
}

unread.setReadSource(conversations.hasRead);
