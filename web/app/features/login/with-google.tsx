import type { ComponentProps } from "react";
import { useOffersGoogle } from "../../lib/sign-in/google.ts";
import { settings } from "../../lib/page/settings.ts";
import { GoogleButton } from "../../ui/google-button.tsx";
import { classNames } from "../../ui/class-names.ts";
import dividerStyles from "../../ui/styles/divider.module.css";
import styles from "./with-google.module.css";

interface WithGoogleProps extends ComponentProps<typeof GoogleButton> {
  /** Such as "or". */
  divider: string;
}

/** Google's button below another way to sign in. Built pages hold it, and show it where the server has filled in an id. */
export function WithGoogle({ divider, ...button }: WithGoogleProps) {
  if (!useOffersGoogle()) return null;
  return (
    <div className={classNames("stack", styles.google)} data-client={settings.googleClientId}>
      <div className={dividerStyles.divider}>{divider}</div>
      <GoogleButton {...button} />
    </div>
  );
}
