import { Button } from "./button.tsx";
import { Picture } from "./picture.tsx";
import { classNames } from "./class-names.ts";
import listStyles from "./styles/list.module.css";
import styles from "./people.module.css";

/** As in tokens.css: `sizes` knows no variables. */
const AVATAR_SIZES = { sm: "2.25rem", md: "3.25rem", lg: "4.25rem" };

/** Decorative: the name stands beside it. */
export function Avatar({ src, size = "md" }: { src: string; size?: "sm" | "md" | "lg" }) {
  return (
    <span className={classNames(styles.avatar, size === "sm" && styles.sm, size === "lg" && styles.lg)}>
      <Picture src={src} alt="" sizes={AVATAR_SIZES[size]} />
    </span>
  );
}

/** `action` is the result of `useAction`. */
export function MemberRow({
  party: { user_id: userId, username, icon },
  line = userId,
  label,
  action,
}: {
  party: { user_id: string; username: string; icon: string };
  /** Below the name, in place of the user id. */
  line?: string;
  label: string;
  action: { isBusy: boolean; start: () => void };
}) {
  return (
    <li className={listStyles.row}>
      <Avatar src={icon} />
      <span id={`row-${userId}`}>
        <bdi>{username}</bdi>
        <span className="hint">{line}</span>
      </span>
      <Button
        kind="quiet"
        small
        aria-describedby={`row-${userId}`}
        busy={action.isBusy}
        onClick={action.start}
      >
        {label}
      </Button>
    </li>
  );
}
