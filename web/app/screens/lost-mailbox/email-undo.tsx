import { undoEmail } from "@alcove/contract/mailboxes";
import { EmailLink } from "./email-link.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";

/** Stops the account after a change, or a request for a new address. */
export default function EmailUndo() {
  return (
    <PublicShell width="form">
      <EmailLink
        call={undoEmail}
        title="undoTitle"
        text="undoText"
        button="undo"
        doneTitle="undoneTitle"
        done="undone"
        next={{ page: "login", label: "logIn" }}
      />
    </PublicShell>
  );
}
