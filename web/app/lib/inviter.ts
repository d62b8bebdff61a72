const INVITED_BY = "invitedBy";

/** Keeps who invited the visitor, as a link's query names it, and answers who did: now or at an earlier visit. */
export function rememberInviter(invitedBy: string | null): string | null {
  if (invitedBy) localStorage.setItem(INVITED_BY, invitedBy);
  return localStorage.getItem(INVITED_BY);
}
