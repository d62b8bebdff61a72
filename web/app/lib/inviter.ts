const INVITER_KEY = "invitedBy";

/** Keeps who invited the visitor, as a link's query names it, until an account is made. */
export function rememberInviter(userId: string): void {
  localStorage.setItem(INVITER_KEY, userId);
}

/** Who invited the visitor, now or at an earlier visit. */
export function inviter(): string | null {
  return localStorage.getItem(INVITER_KEY);
}

/** Forgets it, once an account is made: whoever signs up next on this device came by another way. */
export function forgetInviter(): void {
  localStorage.removeItem(INVITER_KEY);
}

/**
 * Does the first of these while the page is still read: whoever follows one of its links before the app runs, to read
 * the terms for example, comes back without the query.
 */
export const inviterScript = `try {
  const id = /\\/sign-up\\/?$/i.test(location.pathname) && new URLSearchParams(location.search).get("invited_by");
  if (id) localStorage.setItem("${INVITER_KEY}", id);
} catch {}`;
