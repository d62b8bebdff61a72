import { useSyncExternalStore } from "react";
import { USER_ID } from "@alcove/contract/limits";
import { browserStore, readScript, storeScript } from "../../device/stored.ts";

const listeners = new Set<() => void>();

export function rememberInviter(userId: string): void {
  browserStore.set("invitedBy", userId);
  for (const listener of listeners) listener();
}

/** For a link that opens no document of its own, as in the native app. */
export function rememberInviterOf(page: string): void {
  const { pathname, searchParams } = new URL(page, location.origin);
  const id = searchParams.get("invited_by");
  if (id && /\/sign-up\/?$/i.test(pathname)) rememberInviter(id);
}

/** Null also for a text that is no user id, which a link may contain. */
export function inviter(): string | null {
  const userId = browserStore.get("invitedBy");
  return userId !== null && USER_ID.pattern.test(userId) ? userId : null;
}

/** Null in a built page. */
export function useInviter(): string | null {
  return useSyncExternalStore(subscribe, inviter, () => null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function forgetInviter(): void {
  browserStore.remove("invitedBy");
  for (const listener of listeners) listener();
}

/**
 * Stores the inviter before hydration, because a link followed earlier loses the query. The style sheet shows the
 * stored one in the built page (`start-view.css`), so that hydration moves nothing.
 */
export const inviterScript = () => `try {
  const id = /\\/sign-up\\/?$/i.test(location.pathname) && new URLSearchParams(location.search).get("invited_by");
  if (id) ${storeScript("invitedBy", "id")};
  const inviter = ${readScript("invitedBy", "browser")};
  if (inviter !== null && ${USER_ID.pattern}.test(inviter)) {
    const page = document.documentElement;
    page.dataset.invited = "";
    page.style.setProperty("--inviter", '"' + inviter + '"');
  }
} catch {}`;
