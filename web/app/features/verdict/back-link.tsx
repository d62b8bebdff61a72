import { Link } from "react-router";
import buttonStyles from "../../ui/button.module.css";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";

/** Stands above a profile. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Link
      className={classNames(buttonStyles.iconButton, buttonStyles.raised)}
      to={to}
      aria-label={label}
      title={label}
    >
      <Icon name="back" />
    </Link>
  );
}
