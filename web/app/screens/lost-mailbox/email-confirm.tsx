import { confirmNewEmail } from "@alcove/contract/mailboxes";
import { EmailLink } from "./email-link.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";

/** Gives the account to the address that got the link. */
export default function EmailConfirm() {
  return (
    <PublicShell width="form">
      <EmailLink
        call={confirmNewEmail}
        title="confirmTitle"
        text="confirmText"
        button="confirm"
        doneTitle="confirmedTitle"
        done="confirmed"
        next={{ page: "reset-password", label: "newPassword" }}
      />
    </PublicShell>
  );
}
