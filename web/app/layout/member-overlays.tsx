import { IdleWarning } from "./app-lock/idle-warning.tsx";
import { ConsentSheet } from "./consent/consent-sheet.tsx";
import { MatchNotice } from "./match-notice/match-notice.tsx";

export { RealtimeUpdates } from "./realtime-updates.tsx";

export function MemberDialogs() {
  return (
    <>
      <MatchNotice />
      <ConsentSheet />
      <IdleWarning />
    </>
  );
}
