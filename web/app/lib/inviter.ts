const INVITED_BY = "invitedBy";

/** Keeps who invited the visitor, as a link's query names it, until an account is made. */
export function rememberInviter(userId: string): void {
  localStorage.setItem(INVITED_BY, userId);
}

/** Who invited the visitor, now or at an earlier visit. */
export function inviter(): string | null {
  return localStorage.getItem(INVITED_BY);
}
