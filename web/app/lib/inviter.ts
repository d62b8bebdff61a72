const INVITER_KEY = "invitedBy";

export function rememberInviter(userId: string): void {
  localStorage.setItem(INVITER_KEY, userId);
}

export function inviter(): string | null {
  return localStorage.getItem(INVITER_KEY);
}

export function forgetInviter(): void {
  localStorage.removeItem(INVITER_KEY);
}

/** Stores the inviter before hydration, because a link followed earlier loses the query. */
export const inviterScript = `try {
  const id = /\\/sign-up\\/?$/i.test(location.pathname) && new URLSearchParams(location.search).get("invited_by");
  if (id) localStorage.setItem("${INVITER_KEY}", id);
} catch {}`;
