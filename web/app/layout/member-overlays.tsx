import { IdleWarning } from "./app-lock/idle-warning.tsx";
import { MatchNotice } from "./match-notice/match-notice.tsx";

export { RealtimeUpdates } from "./realtime-updates.tsx";

export function MemberDialogs() {
  return (
    <>
      <MatchNotice />
      <IdleWarning />
    </>
  );
}
