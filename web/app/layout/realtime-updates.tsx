import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { getOwnUser } from "@alcove/contract/accounts";
import { conversations } from "../features/chat/conversation/conversations.ts";
import { clearDrafts } from "../features/chat/drafts.ts";
import { clearOutbox } from "../features/chat/stored-outbox.ts";
import { markNotified, markNotifiedWhenVisible } from "../features/notifications/mark-notified.ts";
import { banner } from "../lib/page/banner.ts";
import { useLock } from "../lib/session/lock.ts";
import { api } from "../lib/api/api.ts";
import { currentLoginId, isForCase, isForPurchases } from "../lib/session/session.ts";
import {
  currentLanguage,
  languageOfSegment,
  pathInLanguage,
  rememberLanguage,
} from "../lib/texts/language.ts";
import { isResync, type RealtimeEvent } from "../realtime/events.ts";
import { newDevices } from "../realtime/new-devices.ts";
import { unread } from "../realtime/unread.ts";
import { onRealtimeEvent, startRealtime } from "../realtime/realtime.ts";
import { newMatches } from "./match-notice/new-matches.ts";

/** After a choice of language, a change on another device that was made before it is ignored. */
const LANGUAGE_REST_MS = 5_000;

/** Keeps the connection open while the app is not locked. */
export function RealtimeUpdates() {
  const { isLocked } = useLock();
  const follow = useFollowedChanges();
  const handleChange = useEffectEvent(follow);
  useEffect(() => {
    if (isLocked) return undefined;
    const unsubscribe = onRealtimeEvent((event) => {
      if (event.kind === "match") newMatches.notify(event.match);
      if (isResync(event)) newMatches.catchUp().catch(() => undefined);
      // Before `unread`: a message on screen is read at once.
      conversations.handle(event);
      unread.handle(event);
      handleChange(event);
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
      newDevices.clear();
      conversations.clear();
      unread.clear();
      clearDrafts();
      clearOutbox();
    };
  }, []);
  return null;
}

/** Follows a change on another tab or device. */
function useFollowedChanges(): (event: RealtimeEvent) => void {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const location = useLocation();
  const language = languageOfSegment(location.pathname.split("/")[1]);
  const hasConnected = useRef(false);
  const changedAt = useRef(-Infinity);
  const shown = useRef(language);
  useEffect(() => {
    if (shown.current === language) return;
    shown.current = language;
    changedAt.current = performance.now();
    // The server learns a choice by the next request, which a screen without data does not make.
    void api(getOwnUser, {}).catch(() => undefined);
  }, [language]);

  function followLanguage(chosen: string): void {
    const next = languageOfSegment(chosen);
    if (next === currentLanguage() || performance.now() - changedAt.current < LANGUAGE_REST_MS) return;
    rememberLanguage(next);
    void navigate(pathInLanguage(next, location), { replace: true, preventScrollReset: true });
  }

  return (event) => {
    if (isForCase() || isForPurchases()) return;
    if (event.kind === "connected" || event.kind === "device") void newDevices.load().catch(() => undefined);
    if (event.kind === "changed" && event.language !== null) followLanguage(event.language);
    if (event.kind === "device" || (event.kind === "changed" && event.language === null)) void revalidate();
    if (event.kind !== "connected") return;
    const mayHaveMissed = hasConnected.current && document.visibilityState === "visible";
    hasConnected.current = true;
    if (mayHaveMissed) void revalidate();
  };
}

unread.setReadSource(conversations.hasRead);
