import { useSyncExternalStore } from "react";
import { getWsTicket } from "@alcove/contract/accounts";
import { api } from "../lib/api/api.ts";
import { settings } from "../lib/page/settings.ts";
import { Connection } from "./connection.ts";

const connection = new Connection({
  async openSocket() {
    const { ticket } = await api(getWsTicket, {});
    const origin = (settings.apiOrigin || location.origin).replace(/^http/, "ws");
    return new WebSocket(`${origin}/ws/events?ticket=${encodeURIComponent(ticket)}`);
  },
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
});

/** Replaces the connection after another request has failed without a response. */
export const reconnect = connection.renew;

export const onRealtimeEvent = connection.subscribe;

/** While it is not open, events are missed. */
export const isConnectionOpen = connection.isOpen;

/** Whether no connection has opened for a while, so that news come late. */
export function useIsConnectionMissing(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.isMissing, () => false);
}

/** Announces a sent message by its id (docs/product-rules.md, Sockets). */
export function announceMessage(dmId: string): void {
  connection.send({ dm_id: dmId });
}

export function startRealtime(): () => void {
  const handleVisible = () => document.visibilityState === "visible" && connection.wake();
  const handleOnline = () => {
    connection.renew(); // the old socket may be dead
    connection.wake();
  };
  // A page from the back-forward cache has a dead socket.
  const handleShow = ({ persisted }: PageTransitionEvent) => persisted && handleOnline();
  connection.start();
  addEventListener("online", handleOnline);
  addEventListener("offline", connection.renew);
  addEventListener("pageshow", handleShow);
  document.addEventListener("visibilitychange", handleVisible);
  return () => {
    removeEventListener("online", handleOnline);
    removeEventListener("offline", connection.renew);
    removeEventListener("pageshow", handleShow);
    document.removeEventListener("visibilitychange", handleVisible);
    connection.stop();
  };
}
