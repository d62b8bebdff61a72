import { useEffect, type ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { forgetInviter, rememberInviter, useInviter } from "../../lib/sign-in/inviter.ts";
import { InvitedBy } from "./invited-by.tsx";

/** Returns the inviter, and a note about them with a way to drop the invitation. */
export function useInvitation(): { invitedBy: string | null; invitation: ReactNode } {
  const isHydrated = useIsHydrated();
  const invitedBy = useInviter();
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  // The document does this too, unless the app is running already.
  useEffect(() => {
    const ofLink = search.get("invited_by");
    if (ofLink) rememberInviter(ofLink);
  }, [search]);

  function drop() {
    forgetInviter();
    // A reload must not read it again.
    search.delete("invited_by");
    setSearch(search, { replace: true, state: state as unknown, preventScrollReset: true });
  }
  const invitation = (invitedBy !== null || !isHydrated) && <InvitedBy userId={invitedBy} onDrop={drop} />;
  return { invitedBy, invitation };
}
