import { browserStore, storeScript } from "../device/stored.ts";

export function rememberInviter(userId: string): void {
  browserStore.set("invitedBy", userId);
}

export function inviter(): string | null {
  return browserStore.get("invitedBy");
}

export function forgetInviter(): void {
  browserStore.remove("invitedBy");
}

/** Stores the inviter before hydration, because a link followed earlier loses the query. */
export const inviterScript = `try {
  const id = /\\/sign-up\\/?$/i.test(location.pathname) && new URLSearchParams(location.search).get("invited_by");
  if (id) ${storeScript("invitedBy", "id")};
} catch {}`;
